// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;

/**
 * A name's count in a subject's list of a window.
 *
 * @param list of which it is, or a part of it: names are not looked at
 * @param counted what is published
 * @param origin how the name came to the list
 */
public record ListedCount(NamesRelease list, CountedName counted, Origin origin) {}
