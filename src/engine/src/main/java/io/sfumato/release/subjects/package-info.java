// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Partition selection of subjects, by noisy numbers of their users. */
package io.sfumato.release.subjects;
