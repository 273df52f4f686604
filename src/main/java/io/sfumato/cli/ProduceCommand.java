package io.sfumato.cli;

import io.sfumato.client.CsvEvents;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.Speed;
import io.sfumato.console.Progress;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "produce",
    mixinStandardHelpOptions = true,
    description = "Publishes the rows of a CSV file as events, keyed by their subject.",
    footer = {
      "",
      "Examples:",
      "  sfumato produce --topic diary --csv diary.csv.gz --subject patient --time timestamp --category code",
      "  sfumato produce --topic diary --csv diary.csv.gz --subject patient --time timestamp --category code --speed 86400x"
    })
final class ProduceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Option(names = "--topic", required = true, description = "Topic; made if it is missing.")
  private String topic;

  @Option(
      names = "--csv",
      required = true,
      paramLabel = "FILE",
      description = "CSV, plain or gzipped.")
  private Path csv;

  @Option(names = "--subject", description = "Column of the subject; by default 'subject'.")
  private String subject = "subject";

  @Option(
      names = "--time",
      description = "Column of the event time, ISO-8601 with an offset; by default 'time'.")
  private String time = "time";

  @Option(names = "--category", description = "Column of the category.")
  private Optional<String> category = Optional.empty();

  @Option(names = "--user", description = "Column of the user, where many users feed one subject.")
  private Optional<String> user = Optional.empty();

  @Option(names = "--values", split = ",", description = "Columns of numbers.")
  private List<String> values = List.of();

  @Option(names = "--format", description = "json or avro (UserRecord); by default json.")
  private CsvEvents.Encoding encoding = CsvEvents.Encoding.JSON;

  @Option(
      names = "--speed",
      description =
          "max, a rate such as 500/s, or a factor of event time such as 3600x; by default max.")
  private String speed = "max";

  @Option(
      names = "--as-is",
      description =
          "Keep the file's order. By default events are sent in event-time order, because the subjects of a partition share its clock.")
  private boolean asIs;

  @Option(names = "--partitions", description = "Of a topic that is made; by default 2.")
  private int partitions = 2;

  @Override
  public Integer call() throws RefusedException {
    if (category.isEmpty() && values.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give --category COLUMN, --values COLUMN,..., or both");
    }
    if (user.isPresent() && encoding == CsvEvents.Encoding.AVRO) {
      throw new ParameterException(
          spec.commandLine(), "--user: UserRecord has no user; leave --format at json");
    }
    Speed pace;
    try {
      pace = Speed.parse(speed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--speed: " + e.getMessage());
    }
    CsvEvents events =
        CsvEvents.read(
            csv,
            new CsvEvents.Columns(subject, time, category, values, user),
            asIs ? CsvEvents.Order.AS_IS : CsvEvents.Order.EVENT_TIME,
            encoding);
    KafkaSettings settings = cluster.settings(Map.of());
    try (Cluster admin = new Cluster(settings)) {
      admin.createIfMissing(topic, partitions);
    }
    for (CsvEvents.Reject reject : events.rejects()) {
      System.err.printf("%s line %d: %s%n", csv.getFileName(), reject.line(), reject.reason());
    }
    try (EventPublisher publisher = new EventPublisher(settings)) {
      try (Progress progress = new Progress(System.err, "publishing", events.events().size())) {
        for (CsvEvents.Row row : events.events()) {
          row.time().ifPresent(pace::await);
          publisher.event(topic, row.subject(), row.value());
          progress.step();
        }
        publisher.flush();
      }
    }
    output.print(
        JsonOrText.object()
            .put("events", events.events().size())
            .put("topic", topic)
            .put("rejected_lines", events.rejects().size()),
        "published %d events to %s, %d lines rejected"
            .formatted(events.events().size(), topic, events.rejects().size()));
    return 0;
  }
}
