/** What the program is made of: libraries, their advisories, and the artifacts of the build. */
package io.sfumato.supply;
