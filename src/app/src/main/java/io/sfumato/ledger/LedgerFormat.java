// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.topology.LedgerImage;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The lines of a ledger's file, each a JSON object. */
final class LedgerFormat {
  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonFactory WRITER = JSON.getFactory();

  private LedgerFormat() {}

  /** The last line: what stands between. */
  record Sum(long ledgers, String sha256) {}

  /** The first line. */
  static String text(LedgerFacts facts) throws JsonProcessingException {
    ObjectNode json = JSON.createObjectNode().put("format", FORMAT).put("budget", facts.budget());
    facts.image().facts().forEach(json::put);
    json.put("floor", facts.image().floor())
        .put("terms", Base64.getEncoder().encodeToString(facts.image().terms()))
        .put("account", facts.account());
    facts.image().starts().ifPresent(starts -> json.put("window-starts", starts));
    if (!facts.share().isEmpty()) {
      json.put("share", facts.share());
    }
    facts
        .destination()
        .ifPresent(
            to ->
                json.putObject("for")
                    .put("pipeline", to.pipeline())
                    .put("budget", to.budget())
                    .put("plan", to.plan()));
    return JSON.writeValueAsString(json);
  }

  static String text(LedgerImage.Line line) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = WRITER.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("period", line.period());
      json.writeStringField("share", line.share());
      json.writeStringField("subject", line.subject());
      json.writeBooleanField("announced", line.announced());
      json.writeObjectFieldStart("charges");
      for (Map.Entry<Integer, Long> charge : line.charges().entrySet()) {
        json.writeNumberField(Integer.toString(charge.getKey()), charge.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    return text.toString();
  }

  static String text(Sum sum) throws JsonProcessingException {
    return JSON.writeValueAsString(
        JSON.createObjectNode().put("ledgers", sum.ledgers()).put("sha256", sum.sha256()));
  }

  /**
   * Nothing if it is no first line of this format.
   *
   * @throws CorruptBytesException if it is damaged
   */
  static Optional<LedgerFacts> facts(String text) {
    return ForeignBytes.orCorrupt("facts", () -> parsedFacts(text));
  }

  private static Optional<LedgerFacts> parsedFacts(String text) throws JsonProcessingException {
    JsonNode json = JSON.readTree(text);
    if (json.path("format").asInt() != FORMAT
        || !json.path("budget").isTextual()
        || !json.path("account").isTextual()) {
      return Optional.empty();
    }
    byte[] terms = Base64.getDecoder().decode(json.path("terms").asText());
    JsonNode starts = json.path("window-starts");
    LedgerImage image =
        new LedgerImage(
            terms,
            json.path("floor").asLong(),
            starts.isMissingNode() ? Optional.empty() : Optional.of(starts.asText()));
    // Throws if nobody could go on with these terms.
    image.facts();
    return Optional.of(
        new LedgerFacts(
            json.path("budget").asText(),
            image,
            json.path("account").asText(),
            json.path("share").asText(),
            destination(json)));
  }

  private static Optional<LedgerFacts.Destination> destination(JsonNode json) {
    JsonNode to = json.path("for");
    return to.isMissingNode()
        ? Optional.empty()
        : Optional.of(
            new LedgerFacts.Destination(
                to.path("pipeline").asText(),
                to.path("budget").asText(),
                to.path("plan").asText()));
  }

  /**
   * A ledger.
   *
   * @throws CorruptBytesException if it is none
   */
  static LedgerImage.Line line(String text) {
    return ForeignBytes.orCorrupt("a ledger", () -> parsedLine(text));
  }

  private static LedgerImage.Line parsedLine(String text) throws JsonProcessingException {
    JsonNode json = JSON.readTree(text);
    TreeMap<Integer, Long> charges = new TreeMap<>();
    json.path("charges")
        .properties()
        .forEach(e -> charges.put(Integer.valueOf(e.getKey()), e.getValue().asLong()));
    return new LedgerImage.Line(
        json.path("period").asLong(),
        json.path("share").asText(),
        json.path("subject").asText(),
        charges,
        json.path("announced").asBoolean());
  }

  /**
   * What stands between.
   *
   * @throws CorruptBytesException if it is damaged
   */
  static Sum sum(String text) {
    return ForeignBytes.orCorrupt(
        "a sum",
        () -> {
          JsonNode json = JSON.readTree(text);
          return new Sum(json.path("ledgers").asLong(-1), json.path("sha256").asText());
        });
  }
}
