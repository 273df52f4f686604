// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.SchemasUnavailableException;
import io.sfumato.topology.context.SkippedUnknownException;
import java.net.SocketException;
import java.nio.file.Path;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;

class FailuresTest {
  @Test
  void anEntryOfANewerProgramEndsAnInstanceThatCannotReadIt() {
    byte[] entry = JournalCodec.encode(new Seal());
    entry[0] = 3;
    Throwable unreadable = catchThrowable(() -> JournalCodec.decode(entry));
    RefusedException said =
        Failures.explain(new StreamsException("with a record", unreadable), Path.of("state"));
    assertThat(said.code()).isEqualTo(ExitCode.STOPPED);
    assertThat(said)
        .hasMessageContaining("a journal entry has format 3, this program reads format 1")
        .hasMessageContaining("use the newer version here too")
        .hasMessageNotContaining("record");
  }

  @Test
  void aRegistryThatIsSilentEndsItWithACodeThatIsWorthAnotherTry() {
    RefusedException said =
        Failures.explain(
            new StreamsException(
                "with a record", new SchemasUnavailableException("the registry is silent")),
            Path.of("state"));
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said)
        .hasMessageContaining("the registry is silent")
        .hasMessageContaining("no data lost, no double charge")
        .hasMessageNotContaining("record");
  }

  @Test
  void aListOfOrdersLogThatCannotBeReadEndsItWithACodeThatIsWorthAnotherTry() {
    RefusedException said =
        Failures.explain(
            new StreamsException("of ann", new SkippedUnknownException("no answer")),
            Path.of("state"));
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said)
        .hasMessageContaining("no answer")
        .hasMessageContaining("no data lost, no double charge: start again")
        .hasMessageNotContaining("ann");
  }

  /** A topic's setting that was lowered while the pipeline ran: the operator's to mend. */
  @Test
  void shouldNameTheSettingsWhereARecordIsTooLargeAndQuoteNothing() {
    RefusedException reason =
        Failures.explain(
            new StreamsException("of ann", new RecordTooLargeException("of ann")), Path.of("data"));
    assertThat(reason.code()).isEqualTo(ExitCode.REFUSED_CLUSTER);
    assertThat(reason)
        .hasMessageContaining("max.message.bytes")
        .hasMessageContaining("sfumato doctor")
        .hasMessageNotContaining("ann");
  }

  /** A topic that takes too few timestamps: one sentence, and who names the topic. */
  @Test
  void shouldNameTheSettingsWhereATimestampIsRefusedAndQuoteNothing() {
    RefusedException reason =
        Failures.explain(
            new StreamsException("of ann", new InvalidTimestampException("1795445452494 of ann")),
            Path.of("data"));
    assertThat(reason.code()).isEqualTo(ExitCode.REFUSED_CLUSTER);
    assertThat(reason)
        .hasMessageContaining("message.timestamp.after.max.ms")
        .hasMessageContaining("sfumato doctor")
        .hasMessageNotContaining("ann")
        .hasMessageNotContaining("1795445452494");
  }

  @ParameterizedTest
  @CsvSource({
    "While open a file for appending: /x/000012.log: Too many open files, ulimit -n",
    "While appending to file: No space left on device, free space",
    "While mkdir if missing: /x: Permission denied, give the folder to the user",
    "While lock file: /x/LOCK: Resource temporarily unavailable, stop that process",
    "While pread offset 0 len 53: /x/000012.sst: Input/output error, replace the disk",
  })
  void shouldNameWhatToDoAndKeepLocalStateThatIsIntact(String message, String advice) {
    Throwable thrown = new ProcessorStateException("store of zoe", new RocksDBException(message));
    assertThat(Failures.isLocalStateDamaged(thrown)).as("would be wiped").isFalse();
    assertThat(Failures.explain(thrown, Path.of("data")))
        .hasMessageContaining("data")
        .hasMessageContaining(advice)
        .hasMessageNotContaining("zoe");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Corruption: bad magic number", "While stat a file: No such file or directory"})
  void shouldRebuildLocalStateThatIsDamaged(String message) {
    Throwable thrown = new ProcessorStateException("store", new RocksDBException(message));
    assertThat(Failures.isLocalStateDamaged(thrown)).isTrue();
  }

  /** Sockets and the JVM's own files count too. */
  @Test
  void shouldNameTheLimitOfOpenFilesWhereNoStoreIsInvolved() {
    Throwable thrown =
        new KafkaException("of ann", new SocketException("Too many open files (accept failed)"));
    assertThat(Failures.explain(thrown, Path.of("data"))).hasMessageContaining("ulimit -n");
  }
}
