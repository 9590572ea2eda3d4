/** What is known of each kind of task. Samples of finished tasks come in; profiles, found by task identity, go out. */
package org.interference.yarn.profile;
