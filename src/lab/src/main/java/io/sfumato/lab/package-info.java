// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Commands that reproduce the papers' experiments, attack every mechanism and measure speed. */
package io.sfumato.lab;
