// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Subjects that nobody listed, found by noisy numbers of their users. */
package io.sfumato.release.subjects;
