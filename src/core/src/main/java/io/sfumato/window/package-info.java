// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** How event time is cut into windows: of one length, or by the calendar of a time zone. */
package io.sfumato.window;
