/** The program {@code bin/dispatch}: jobs by a timetable, and what became of them. */
package org.interference.yarn.dispatch;
