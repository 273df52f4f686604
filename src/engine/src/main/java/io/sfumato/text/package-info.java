// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Text for terminals: bars, columns, and control characters made visible. */
package io.sfumato.text;
