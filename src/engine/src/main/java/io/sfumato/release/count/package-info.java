/** Numbers of records where users are protected, of a window or running over many. */
package io.sfumato.release.count;
