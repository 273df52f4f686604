/** What operators look at. Never tagged with a subject, never a raw value. */
package io.sfumato.ops;
