/**
 * LeRobot folders (v2.0, v2.1, v3.0) as datasets. {@link dev.penstock.decode.Episodes#open} finds
 * {@link dev.penstock.lerobot.LeRobotFormat} on the class path; there is nothing to call here. docs/formats.md says what
 * becomes what.
 */
@NullMarked
package dev.penstock.lerobot;

import org.jspecify.annotations.NullMarked;
