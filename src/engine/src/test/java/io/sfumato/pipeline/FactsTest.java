// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Fact.Form;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same facts as text and as JSON. */
class FactsTest {
  private static Facts block() {
    Map<String, Double> errors = new LinkedHashMap<>();
    errors.put("laplace", 12.0);
    errors.put("gaussian", 30.25);
    return Facts.titled("count", "visits -> topic visits")
        .forPrograms()
        .words("", "name", "visits")
        .row("method")
        .words("", "method", "laplace")
        .say("noise on %d counts", 4)
        .say("%s", "")
        .row("cost")
        .number("the share lasts", "windows", 1L, "windows")
        .row("error")
        .bar("95% of counts within", "error_95", 1234.5678, "records or more")
        .table(
            "tables",
            List.of(
                Facts.of().say("all").forPrograms().many("", "columns", List.of()),
                Facts.of()
                    .many("of", "columns", List.of("a", "b"))
                    .row("then")
                    .percent("weight", "share", 0.25)))
        .row("best of")
        .numbers("error", "error_by_method", errors, Form.BAR)
        .warnings(List.of())
        .allWarnings(List.of("too few", "too many"));
  }

  private static Facts all() {
    return Facts.of()
        .row("pipeline")
        .words("", "pipeline", "wards")
        .number("version", "version", 2)
        .row("budget")
        .number("delta", "delta", new BigDecimal("1e-6"))
        .number("at most", "most", 2.00001, Form.AT_MOST, "")
        .number("limit", "limit", 262_400, Form.BYTES, "")
        .row("nothing")
        .forPrograms()
        .flag("", "bounded", false)
        .row("releases")
        .table("releases", List.of(block()))
        .row("time")
        .say("fast");
  }

  @Test
  void shouldWriteALabelAndALineForEachRow() {
    assertThat(FactText.of(all()))
        .isEqualTo(
            """
            pipeline   wards, version 2
            budget     delta 0.000001, at most 2.001, limit 257 KiB

            count      visits -> topic visits
              method     laplace, noise on 4 counts
              cost       the share lasts 1 window
              error      95% of counts within +-1,230 records or more
                           all
                           of a, b; weight 25%
              best of    error (laplace +-12, gaussian +-30.3)
              warning    too few
              warning    too many

            time       fast
            """);
  }

  @Test
  void shouldGiveProgramsAllDigitsInTheSameOrder() {
    assertThat(FactJson.of(all()).toString())
        .isEqualTo(
            "{'pipeline':'wards','version':2,'delta':0.000001,'most':2.00001,'limit':262400,'bounded':false,"
                    .replace('\'', '"')
                + "'releases':[{'name':'visits','method':'laplace','windows':1,'error_95':1234.5678,'tables':[{'columns':[]},{'columns':['a','b'],'share':0.25}],'error_by_method':{'laplace':12.0,'gaussian':30.25},'warnings':['too few','too many']}]}"
                    .replace('\'', '"'));
  }

  @Test
  void shouldGatherLinesByTheirLabel() {
    assertThat(FactText.rows(block()))
        .extracting(FactText.Labelled::label)
        .containsExactly("method", "cost", "error", "best of", "warning");
    assertThat(FactText.rows(block()).get(4).lines()).containsExactly("too few", "too many");
  }

  @Test
  void shouldReadTheSameInEveryLanguage() {
    Locale before = Locale.getDefault();
    String text = FactText.of(all());
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertThat(FactText.of(all())).isEqualTo(text);
    } finally {
      Locale.setDefault(before);
    }
  }
}
