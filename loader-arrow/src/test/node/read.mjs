// Prints an Arrow file's rows as JSON: a second implementation's view of what ArrowTruthWriter wrote.
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';

const plain = (value) => {
  if (typeof value === 'bigint') return value.toString();
  if (value !== null && typeof value === 'object') return Array.from(value, plain);
  return value;
};

const table = tableFromIPC(readFileSync(process.argv[2]));
// pyarrow turns a field into its FixedShapeTensorType by these two keys, if the storage is a fixed-size list of that size.
const field = table.schema.fields.find((field) => field.name === 'v');
const tensor = field.metadata;
const rows = table.toArray().map((row) => {
  const seen = {};
  for (const name of ['time', 'v', 's', 'boxes', 'id', 'ok']) seen[name] = plain(row[name]);
  return seen;
});
const name = `${tensor.get('ARROW:extension:name')} ${tensor.get('ARROW:extension:metadata')}`;
console.log(JSON.stringify({ tensor: name, storage: String(field.type), rows }));
