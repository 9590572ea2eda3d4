/** What the planner reads and answers, as JSON; for the program and for REST alike. Texts come in and go out, no type of Jackson's. */
package org.interference.yarn.plan.file;
