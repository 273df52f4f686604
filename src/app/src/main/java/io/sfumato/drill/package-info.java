// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** The restore drill: state restored from changelogs beside a running pipeline, and compared. */
package io.sfumato.drill;
