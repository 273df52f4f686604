// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Learners and planning estimates of private sampling within a band. */
package io.sfumato.estimate.mollifier;
