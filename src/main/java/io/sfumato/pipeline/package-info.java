/** The pipeline file: parse, validate, plan. Nothing here knows of Kafka. */
package io.sfumato.pipeline;
