// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.client.CellRules;
import io.sfumato.client.EventTimes;
import io.sfumato.serde.RecordTrees;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who has what in a sample is who has it in the pipeline. */
class WholeSampleTest {
  @TempDir Path folder;

  private List<String> counted(String csv, Set<String> numbers) throws Exception {
    Path file = Files.writeString(folder.resolve("f.csv"), csv);
    List<String> counted = new ArrayList<>();
    WholeSample.ofCsv(file, new CellRules(EventTimes.withOffsets(), Set.of(), numbers))
        .read("who", List.of("what"), (who, field, name) -> counted.add(who + " " + name));
    return counted;
  }

  @Test
  void shouldCountOnePersonWhenANumberIsWrittenInSeveralForms() throws Exception {
    String csv = "who,what\n100000,tea\n1e+05,tea\n100000.0,tea\n 100000,tea\n+100000,5.0\n";
    assertThat(counted(csv, Set.of())).containsExactly("100000 100000", "100000 tea");
    assertThat(counted(csv, Set.of("who")))
        .hasSize(8)
        .allMatch(line -> line.equals("100000 100000") || line.equals("100000 tea"));
  }

  @Test
  void shouldPassOverALineWhenProduceDoesNotSendIt() throws Exception {
    assertThat(counted("who,what\nann,a,b\n \"ann\",a\nann,\nbob,c\n", Set.of()))
        .containsExactly("ann ann", "bob bob", "bob c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'user.id':'ann','user':{'id':'bob'}} | user.id | ann",
        "{'user':{'id':'bob'},'user.id':'ann'} | user.id | ann",
        "{'user':{'id':'bob'},'user.id':null} | user.id |",
        "{'tags[0]':'x','tags':['y']} | tags[0] | x",
        "{'user':{'id':'bob'}} | user.id | bob"
      })
  void shouldFindThePathThatAPipelineFindsWhenAFieldHasTheVeryName(
      String json, String path, String found) {
    byte[] value = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    Map<String, String> fields = SampleRecords.fields(RecordTrees.ofJson().of(value).orElseThrow());
    assertThat(fields.get(path)).isEqualTo(found);
  }

  @Test
  void shouldCountNobodyWhenAValueHasNoName() {
    byte[] value = "{\"who\":1e60,\"what\":\"a\",\"n\":1e2}".getBytes(StandardCharsets.UTF_8);
    assertThat(SampleRecords.names(RecordTrees.ofJson().of(value).orElseThrow()))
        .isEqualTo(Map.of("what", "a", "n", "100"));
  }

  @Test
  @Timeout(20)
  void shouldTellTheTypeOfAFieldWhenItsCellsAreVeryLong() {
    String digits = "1".repeat(1 << 20);
    SampleRecords sample =
        SampleRecords.of(
            List.of(Map.of("a", digits + "x", "b", "+" + digits, "c", "1." + digits + "e")));
    SampleTypes types = new SampleTypes(sample);
    assertThat(List.of("a", "b", "c"))
        .extracting(types::of)
        .containsExactly(SampleTypes.Type.REMARK, SampleTypes.Type.WHOLE, SampleTypes.Type.REMARK);
  }
}
