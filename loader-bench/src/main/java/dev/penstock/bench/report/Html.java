package dev.penstock.bench.report;

import java.util.Locale;

/** Text and numbers as HTML, and the page around them. */
final class Html {
    private static final String STYLE = """
            :root{--bg:#fff;--fg:#1c2733;--soft:#5b6b7b;--line:#dfe5ea;--card:#f6f8fa;--a:#0b6e99;--b:#d1701c;--c:#3b8f4a;\
            --d:#8a4fbf;--e:#c0392b}
            @media(prefers-color-scheme:dark){:root{--bg:#12181f;--fg:#e4eaf0;--soft:#9aa9b8;--line:#2c3947;--card:#1a232d;\
            --a:#4db3dd;--b:#f0a050;--c:#6cc47c;--d:#b98ae6;--e:#f07a6c}}
            *{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);\
            font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
            main{max-width:1200px;margin:0 auto;padding:20px 16px 60px}h1{font-size:1.5rem;margin:.2em 0}
            h2{font-size:1.1rem;margin:2em 0 .6em;border-bottom:1px solid var(--line);padding-bottom:.2em}
            .soft{color:var(--soft)}.tag{display:inline-block;white-space:nowrap;background:var(--b);color:#fff;border-radius:4px;padding:1px 8px;font-size:.8rem;vertical-align:middle}
            .cards,.charts{display:grid;gap:14px;grid-template-columns:repeat(auto-fit,minmax(min(100%,150px),1fr))}
            .charts{grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
            .card,figure{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px;margin:0}
            .card b{display:block;font-size:1.3rem;line-height:1.2}figcaption{font-weight:600;margin-bottom:4px}
            svg{width:100%;height:auto;display:block;overflow:visible}svg text{fill:var(--soft);font-size:12px}.end{text-anchor:end}
            .mid{text-anchor:middle}.grid{stroke:var(--line);fill:none}.l{fill:none;stroke-width:2.2}
            .dash{stroke-dasharray:6 5}.legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:.82rem;color:var(--soft)}
            .legend i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:5px}
            .s0{fill:var(--a);stroke:var(--a);background:var(--a)}.s1{fill:var(--b);stroke:var(--b);background:var(--b)}
            .s2{fill:var(--c);stroke:var(--c);background:var(--c)}.s3{fill:var(--d);stroke:var(--d);background:var(--d)}
            .s4{fill:var(--e);stroke:var(--e);background:var(--e)}path.l{fill:none}
            .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th,td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--line)}
            th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:600}
            .advice{border-left:4px solid var(--a);margin-bottom:12px}.advice h3{margin:.1em 0 .4em;font-size:1rem}
            .advice dl{margin:0;display:grid;grid-template-columns:7.5em 1fr;gap:2px 10px}.advice dt{color:var(--soft)}
            .advice dd{margin:0;overflow-wrap:anywhere}code{font:13px/1.4 ui-monospace,Menlo,Consolas,monospace}
            .ledger{display:flex;height:34px;border-radius:6px;overflow:hidden;margin-bottom:8px}.ledger div{min-width:2px}
            @media(max-width:480px){.advice dl{grid-template-columns:1fr}.card b{font-size:1.1rem}svg text{font-size:17px}table{font-size:.76rem}th,td{padding:4px 3px}}
            @media print{body{font-size:11px}main{max-width:none;padding:1px}figure,.card,section,tr{break-inside:avoid}\
            h2{margin-top:1.2em;break-after:avoid}.cards{grid-template-columns:repeat(5,1fr);gap:8px}.card b{font-size:1.05rem}\
            .charts{grid-template-columns:1fr 1fr;gap:8px}svg text{font-size:15px}\
            *{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
            """;

    private Html() {}

    static String page(String title, String body) {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" + text(title)
                + "</title><style>\n" + STYLE + "</style></head>\n<body><main>\n" + body
                + "\n</main></body></html>\n";
    }

    static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Three digits or so. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        if (Double.isInfinite(value)) {
            return "no limit";
        }
        double size = Math.abs(value);
        String format = size >= 100 || value == Math.rint(value) ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    static String percent(double share) {
        return Double.isNaN(share) || Double.isInfinite(share)
                ? "–"
                : String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    static String card(String label, String value, String note) {
        return "<div class=\"card\"><span class=\"soft\">" + text(label) + "</span><b>" + text(value)
                + "</b><span class=\"soft\">" + text(note) + "</span></div>";
    }

    static String row(String cell, Object... values) {
        StringBuilder out = new StringBuilder("<tr>");
        for (Object value : values) {
            out.append('<').append(cell).append('>').append(text(String.valueOf(value)));
            out.append("</").append(cell).append('>');
        }
        return out + "</tr>";
    }

    static String table(String head, String rows) {
        return "<div class=\"scroll\"><table><thead>" + head + "</thead><tbody>" + rows + "</tbody></table></div>";
    }
}
