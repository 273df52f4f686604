// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell is in the column that the header says, or its line is refused. */
class CsvFileTest {
  @TempDir Path folder;

  private final List<String> refused = new ArrayList<>();

  private List<String> read(String csv) throws Exception {
    Path file = Files.writeString(folder.resolve("f.csv"), csv);
    List<String> read = new ArrayList<>();
    CsvFile.read(
        file,
        List.of("who", "what"),
        100,
        new CsvFile.Lines() {
          @Override
          public void take(long number, String[] cells, int[] places) {
            read.add(number + " " + cells[places[0]] + " " + cells[places[1]]);
          }

          @Override
          public void refuse(long number, String reason) {
            refused.add(number + " " + reason);
          }
        });
    assertThat(CsvFile.head(file, 100))
        .as("a first look passes over what is not read")
        .hasSize(1 + read.size());
    return read;
  }

  @Test
  void shouldRefuseALineWhenItHasMoreCellsThanTheHeader() throws Exception {
    assertThat(read("who,what,note\nSmith, Ann,tea,x\nbob,rum,x,,\neve,\"a,b\",\n"))
        .containsExactly("4 eve a,b");
    assertThat(refused)
        .containsExactly(
            "2 has 4 cells, and the first line has 3: a cell with a separator in it needs quotes",
            "3 has 5 cells, and the first line has 3: a cell with a separator in it needs quotes");
  }

  @Test
  void shouldRefuseALineWhenABlankIsInFrontOfAQuote() throws Exception {
    assertThat(read("who,what\n\"ann\",tea\n \"ann\",tea\nbob,\u00a0\"rum, old\nbob,5\" pipe\n"))
        .containsExactly("2 ann tea", "5 bob 5\" pipe");
    assertThat(refused)
        .first()
        .asString()
        .isEqualTo("3 has a blank before a quote: a quoted cell must start with the quote");
    assertThat(refused).hasSize(2);
  }

  @Test
  void shouldRefuseTheFileWhenTwoOfItsColumnsHaveAWantedName() throws Exception {
    assertThatThrownBy(() -> read("who,what,who\nann,tea,bob\n"))
        .isInstanceOf(RefusedException.class)
        .hasMessageEndingWith("has several columns 'who': rename all but one of them");
    assertThat(read("who,what,note,note\nann,tea,x,y\n")).containsExactly("2 ann tea");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sep=\t\nwho\twhat\nann\ta,b,c\n",
        "\"sep=\t\"\r\nwho\twhat\r\nann\ta,b,c\r\n",
        "\"sep=;\"\nwho;what\nann;a,b,c\n",
        "\uFEFFsep=|\nwho|what\nann|a,b,c\n"
      })
  void shouldTakeTheSeparatorThatTheFileNamesWhenItIsATabOrInQuotes(String csv) throws Exception {
    assertThat(read(csv)).containsExactly("3 ann a,b,c");
  }
}
