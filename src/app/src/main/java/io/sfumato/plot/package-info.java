/** Pictures of results, as PNG. */
package io.sfumato.plot;
