// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;

/**
 * One release of a file as its kind reads it, and what of the file it may look at.
 *
 * @param fields of the release: name, topic and share are read already
 * @param name of the output
 * @param topic that it is published to
 * @param share what it may spend
 * @param horizon releases of one subject and period that the share must cover, at least 1
 * @param input where records come from
 * @param features that the pipeline keeps of numbers
 * @param population whose records count, where many users feed one subject
 */
public record ReleaseFields(
    Fields fields,
    String name,
    String topic,
    ReleaseSpec.ShareSpec share,
    long horizon,
    InputSpec input,
    Optional<FeatureSpec> features,
    Optional<Population> population) {}
