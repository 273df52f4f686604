// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Exports to Parquet, an optional part of an installation. */
package io.sfumato.parquet;
