// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.EventPublisher;
import io.sfumato.client.OutputReader;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.doctor.Rights;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.TickKey;
import io.sfumato.ledger.AccountLog;
import io.sfumato.ledger.AddedLoss;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.ledger.Registry;
import io.sfumato.ledger.RegistryContents;
import io.sfumato.ledger.RegistryHandover;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SourceTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.SecurityUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tenants of one cluster with an authorizer, each with the rights that are documented. */
@Tag("cluster")
class TenantsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final NoiseKey KEY = TestCluster.key();
  private static final NoiseKey OTHER = NoiseSecret.random().derive();

  @TempDir static Path folder;
  private static SecuredBroker broker;
  private static KafkaSettings admin;
  private static KafkaSettings mine;
  private static KafkaSettings theirs;

  @BeforeAll
  static void start() throws Exception {
    broker =
        SecuredBroker.start(folder.resolve("broker"), SecuredBroker.STANDARD, "mine", "theirs");
    admin = broker.settings("admin");
    mine = broker.settings("mine");
    theirs = broker.settings("theirs");
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  /** As 'run' does, step by step; nothing but what 'doctor --rights' prints is allowed. */
  @Test
  void shouldStartAndRestartWithTheDocumentedRightsAndKeepOthersOut() throws Exception {
    Plan plan = granted("a", "mine");
    Plan other = granted("a-b", "theirs");
    forge("a");
    begin(other, theirs);
    try (Cluster cluster = new Cluster(admin)) {
      // As its first run makes it: a changelog whose name begins like those of the budget 'a'.
      cluster.topics().createIfMissing(Names.changelogTopic("sfumato-a-b", LedgerImage.LEDGERS), 1);
    }
    begin(plan, mine);
    try (PipelineRun run = run(plan, "first")) {
      send("a-in", 0);
      await().atMost(TestCluster.PATIENCE).until(() -> releases("a-mix") == 1);
      assertThat(run.failure()).isEmpty();
      attack(plan);
      send("a-in", 20_000);
      await().atMost(TestCluster.PATIENCE).until(() -> releases("a-mix") >= 2);
      assertThat(run.failure()).isEmpty();
    }
    await().atMost(TestCluster.PATIENCE).until(() -> !hasMembers(plan));
    forge("a");
    begin(plan, mine);
    int before = releases("a-mix");
    try (PipelineRun run = run(plan, "second")) {
      send("a-in", 60_000);
      await().atMost(TestCluster.PATIENCE).until(() -> releases("a-mix") > before);
      assertThat(run.failure()).isEmpty();
    }
    List<Finding> findings =
        new Doctor(plan, admin, Optional.of("User:mine"))
            .examine(new Doctor.Machine(Optional.empty(), Map.of(), folder.resolve("data")));
    assertThat(findings)
        .filteredOn(finding -> finding.severity() == Finding.Severity.PROBLEM)
        .noneMatch(finding -> finding.found().startsWith("may be"));
    assertThat(findings).anyMatch(finding -> finding.found().contains("but User:mine read raw"));
  }

  /** What the other tenant tries with rights of his own, and a budget whose name begins alike. */
  private static void attack(Plan plan) throws Exception {
    String application = plan.pipeline().applicationId();
    for (String id : List.of("registry", "account", "import", "pipeline")) {
      assertThatThrownBy(() -> fence(TransactionalIds.of(application, id)))
          .isInstanceOf(TransactionalIdAuthorizationException.class);
    }
    assertThat(transactions())
        .as("what Kafka Streams names is under the budget's own prefix")
        .anyMatch(id -> id.startsWith("sfumato-a/") && id.length() > 40)
        .noneMatch(id -> id.matches("sfumato-a-\\p{XDigit}{8}-.*"));
    for (String topic :
        List.of(
            Registry.topicOf("a"),
            "a-registry",
            "a-control",
            "a-mix",
            Names.journalTopics(plan.pipeline()).get(0),
            Names.changelogTopic(application, LedgerImage.LEDGERS))) {
      assertThatThrownBy(() -> write(theirs, new ProducerRecord<>(topic, 0, null, bytes("x"))))
          .as(topic)
          .hasRootCauseInstanceOf(TopicAuthorizationException.class);
    }
    Registry registry = new Registry(theirs, "a", Optional.of(OTHER));
    assertThatThrownBy(() -> registry.seal("now")).isInstanceOf(RefusedException.class);
    try (Admin client = Admin.create(theirs.admin())) {
      TopicPartition records = new TopicPartition("a-in", 0);
      assertThatThrownBy(
              () ->
                  client
                      .alterConsumerGroupOffsets(
                          application, Map.of(records, new OffsetAndMetadata(0)))
                      .all()
                      .get())
          .hasRootCauseInstanceOf(GroupAuthorizationException.class);
      assertThatThrownBy(() -> client.deleteConsumerGroups(List.of(application)).all().get())
          .hasRootCauseInstanceOf(GroupAuthorizationException.class);
      assertThatThrownBy(
              () ->
                  client
                      .listConsumerGroupOffsets(application)
                      .partitionsToOffsetAndMetadata()
                      .get())
          .hasRootCauseInstanceOf(GroupAuthorizationException.class);
    }
  }

  /** Where rights are wider than documented, entries that were not signed say nothing. */
  @Test
  void shouldIgnoreEntriesOfWhoeverHasNotTheSecret() throws Exception {
    Plan plan = granted("wide", "mine");
    begin(plan, mine);
    try (PipelineRun run = run(plan, "wide")) {
      send("wide-in", 0);
      await().atMost(TestCluster.PATIENCE).until(() -> releases("wide-mix") == 1);
      assertThat(run.failure()).isEmpty();
    }
    await().atMost(TestCluster.PATIENCE).until(() -> !hasMembers(plan));
    allow("User:theirs", Registry.topicOf("wide"), AclOperation.WRITE);
    allow("User:theirs", "wide-registry", AclOperation.WRITE);
    write(
        theirs,
        new ProducerRecord<>(
            "wide-registry", 0, bytes("budget"), bytes("{\"budget\":\"theirs\"}")));
    for (Optional<NoiseKey> key : List.of(Optional.<NoiseKey>empty(), Optional.of(OTHER))) {
      forgeOwn("wide", "sealed", "{\"at\":\"yesterday\"}", key);
      forgeOwn("wide", "continued", "{\"by\":\"theirs\"}", key);
      forgeOwn(
          "wide", "started", "{\"budget\":\"wide\",\"version\":9,\"file\":\"\",\"key\":\"\"}", key);
      forgeOwn("wide", "granted", "{\"account\":\"people\",\"budget\":\"wide\"}", key);
    }
    RegistryContents contents = new Registry(mine, "wide", Optional.of(KEY)).read();
    assertThat(contents.mine().sealed()).isEmpty();
    assertThat(contents.others().sealed()).as("they are there").contains("yesterday");
    begin(plan, mine);
    new Registry(mine, "wide", Optional.of(KEY)).seal("today");
    assertThatThrownBy(() -> begin(plan, mine))
        .as("who hdo the same as with the secret seals")
        .hasMessageContaining("was sealed at today");
    write(theirs, new ProducerRecord<>(Registry.topicOf("wide"), 0, bytes("sealed"), null));
    assertThatThrownBy(() -> begin(plan, mine))
        .as("a later record takes nothing back")
        .hasMessageContaining("was sealed at today");
  }

  @Test
  void shouldSayThatOtherRegistriesAreNotSeenWhenThereIsNoRightToDescribeThem() throws Exception {
    Plan plan = granted("alone", "mine");
    AddedLoss.Outlook outlook = begin(plan, mine, KEY);
    assertThat(outlook.fresh()).hasSize(1);
    assertThat(outlook.adding()).isEmpty();
    assertThat(outlook.remarks())
        .singleElement()
        .asString()
        .contains("registries that this principal may not describe are invisible")
        .contains("its losses add to those of budget 'alone'");
  }

  /** Before the first start nobody can tell what is genuine: who forges there stops it. */
  @Test
  void shouldRefuseABudgetThatNeverRanAndThatAnybodySpeaksOf() throws Exception {
    for (Optional<NoiseKey> key : List.of(Optional.<NoiseKey>empty(), Optional.of(OTHER))) {
      String name = key.isPresent() ? "signed" : "unsigned";
      Plan plan = granted(name, "mine");
      try (Cluster cluster = new Cluster(admin)) {
        cluster.topics().createLog(Registry.topicOf(name));
      }
      allow("User:theirs", Registry.topicOf(name), AclOperation.WRITE);
      forgeOwn(name, "sealed", "{\"at\":\"yesterday\"}", key);
      assertThatThrownBy(() -> begin(plan, mine))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("was sealed at yesterday");
    }
  }

  /** Compaction would let whoever may write take back what others wrote. */
  @Test
  void shouldClaimOnlyWhereEveryEntryIsKept() throws Exception {
    Plan plan = granted("kept", "mine");
    try (Cluster cluster = new Cluster(admin)) {
      cluster.topics().createLog(AccountLog.TOPIC);
      alter(AccountLog.TOPIC, "cleanup.policy", "compact");
      assertThatThrownBy(() -> begin(plan, mine))
          .as("whoever may not change it")
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("topic 'sfumato-accounts' deletes old entries: ")
          .hasMessageContaining(
              OwnTopics.keepingCommand(
                  AccountLog.TOPIC, new TopicCommand(broker.bootstrapServers())));
      begin(plan, admin);
      for (String topic : List.of(AccountLog.TOPIC, Registry.topicOf("kept"), "kept-registry")) {
        assertThat(OwnTopics.keepsAll(config(topic))).as(topic).isTrue();
      }
      begin(plan, mine);
    } finally {
      alter(AccountLog.TOPIC, "cleanup.policy", "delete");
    }
  }

  private static Config config(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin client = Admin.create(admin.admin())) {
      return client.describeConfigs(List.of(resource)).values().get(resource).get();
    }
  }

  /** Changes a topic's setting, and waits until the broker has it. */
  private static void alter(String topic, String name, String value) throws Exception {
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin client = Admin.create(admin.admin())) {
      client.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
    }
    await().atMost(TestCluster.PATIENCE).until(() -> config(topic).get(name).value().equals(value));
  }

  /** A new key finds what the old one signed, once that one has handed it over. */
  @Test
  void shouldHandEntriesOverToANewKey() throws Exception {
    Plan plan = granted("turned", "mine");
    begin(plan, mine);
    try (PipelineRun run = run(plan, "turned")) {
      send("turned-in", 0);
      await().atMost(TestCluster.PATIENCE).until(() -> releases("turned-mix") == 1);
      assertThat(run.failure()).isEmpty();
    }
    await().atMost(TestCluster.PATIENCE).until(() -> !hasMembers(plan));
    try (Cluster cluster = new Cluster(mine)) {
      RegistryHandover next = new RegistryHandover(plan.pipeline(), mine, cluster, OTHER);
      assertThatThrownBy(() -> next.handOver(Optional.empty()))
          .hasMessageContaining("--former-secret-file");
      NoiseKey wrong = NoiseSecret.random().derive();
      assertThatThrownBy(() -> next.handOver(Optional.of(wrong)))
          .hasMessageContaining("--former-secret-file");
      assertThatThrownBy(() -> begin(plan, mine, OTHER))
          .as("a start with the new key")
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("noise key");
      NoiseSecret stranger = NoiseSecret.random();
      Path file = folder.resolve("stranger.key");
      stranger.write(file.toAbsolutePath());
      assertThat(
              new Doctor(plan, admin)
                  .examine(new Doctor.Machine(Optional.of(file), Map.of(), folder.resolve("data"))))
          .as("the doctor sees what a run would refuse")
          .anySatisfy(
              finding -> {
                assertThat(finding.severity()).isEqualTo(Finding.Severity.PROBLEM);
                assertThat(finding.found())
                    .contains("tag " + stranger.derive().tag(), "tag " + KEY.tag());
              });
      Registry registry = new Registry(mine, "turned", Optional.of(OTHER));
      assertThat(registry.read().mine().adopted()).isFalse();
      next.handOver(Optional.of(KEY));
      next.handOver(Optional.of(KEY));
      assertThat(registry.read().mine().granted())
          .isPresent()
          .isEqualTo(new Registry(mine, "turned", Optional.of(KEY)).read().mine().granted());
      assertThat(registry.read().mine().adopted()).isTrue();
      assertThat(written("turned-registry", "budget")).as("by both keys, once").isEqualTo(2);
    }
    begin(plan, mine);
  }

  /** The seal of an export stops its pipeline, with its operator's rights and the secret alone. */
  @Test
  void shouldSealWithTheRightsOfAnOperator() throws Exception {
    Plan plan = granted("left", "mine");
    begin(plan, mine);
    try (PipelineRun run = run(plan, "left")) {
      send("left-in", 0);
      await().atMost(TestCluster.PATIENCE).until(() -> releases("left-mix") == 1);
      assertThat(run.failure()).isEmpty();
    }
    await().atMost(TestCluster.PATIENCE).until(() -> !hasMembers(plan));
    Path file = folder.resolve("left.ledger");
    assertThatThrownBy(() -> export(plan, OTHER, file))
        .as("another secret seals nothing")
        .hasMessageContaining("another noise key");
    assertThatThrownBy(() -> export(plan, KEY, file))
        .as("nobody allowed it to command")
        .isInstanceOf(RefusedException.class);
    begin(plan, mine);
    grant(new Rights(plan.pipeline()).rules("User:mine", Rights.Part.OPERATOR));
    pass(plan, RecordSpan.at(0, 7));
    export(plan, KEY, file);
    assertThatThrownBy(() -> begin(plan, mine)).hasMessageContaining("was sealed at");
    importBySomebodyElse(file);
  }

  /** What 'skip-record' writes. */
  private static void pass(Plan plan, RecordSpan place) throws RefusedException {
    String records = plan.pipeline().input().topics().names().get(0);
    try (Cluster cluster = new Cluster(mine)) {
      new OrdersLog(plan.pipeline(), mine, KEY)
          .add(List.of(place), cluster, cluster.topics().sources(List.of(records)));
    }
  }

  /** With the rights that 'doctor --rights ... --imports left' prints, and another secret. */
  private static void importBySomebodyElse(Path file) throws Exception {
    Plan heir = plan("heir", "left-in", "left-people");
    grant(new Rights(heir.pipeline()).rules("User:theirs", Rights.Part.APPLICATION));
    LedgerImport early = new LedgerImport(heir, theirs, OTHER, Cluster.Safety.WAIVED);
    assertThatThrownBy(() -> early.importFrom(LedgerFile.read(file)))
        .as("the right that is missing is one that only this option prints")
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("'sfumato doctor FILE --rights PRINCIPAL --imports left'");
    String command = String.join(" ", Rights.toImportFrom("left", "User:theirs", "unused:1"));
    Matcher operation = Pattern.compile("--operation (\\w+)").matcher(command);
    while (operation.find()) {
      allow("User:theirs", Registry.topicOf("left"), SecurityUtils.operation(operation.group(1)));
    }
    LedgerImport route = new LedgerImport(heir, theirs, OTHER, Cluster.Safety.WAIVED);
    assertThat(route.importFrom(LedgerFile.read(file))).isEqualTo(LedgerImport.Outcome.IMPORTED);
    assertThat(route.leftBehind())
        .as("it cannot tell whether that was genuine, and says so")
        .containsExactly("left-in-0@7");
    assertThat(new Registry(mine, "left", Optional.of(KEY)).read().others().continued())
        .contains("heir");
    begin(heir, theirs);
  }

  private static void export(Plan plan, NoiseKey key, Path file) throws RefusedException {
    new LedgerExport(plan.pipeline(), mine, key, line -> {})
        .export(file, LedgerExport.Unreleased.ABANDON, TestCluster.PATIENCE);
  }

  /** A file, its records' topic, and the rights of its principal. */
  private static Plan granted(String name, String user) throws Exception {
    Plan plan = plan(name);
    grant(new Rights(plan.pipeline()).rules("User:" + user, Rights.Part.APPLICATION));
    return plan;
  }

  private static Plan plan(String name) throws Exception {
    return plan(name, name + "-in", name + "-people");
  }

  private static Plan plan(String name, String input, String account) throws Exception {
    try (Cluster cluster = new Cluster(admin)) {
      cluster.topics().createIfMissing(input, 1);
    }
    return TestCluster.plan(
        """
        pipeline: NAME
        input: { topic: INPUT, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: NAME, unit: record, epsilon: 2, delta: 1e-6, period: window, account: { name: ACCOUNT, epsilon: 5, delta: 1e-5 } }
        releases:
          - histogram: { name: NAME-mix, share: { epsilon: 2, delta: 1e-6 } }
        """
            .replace("NAME", name)
            .replace("INPUT", input)
            .replace("ACCOUNT", account));
  }

  private static void grant(List<AclBinding> rules) throws Exception {
    try (Admin client = Admin.create(admin.admin())) {
      client.createAcls(rules).all().get();
      // The controller took them; the broker that answers has them a moment later.
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> client.describeAcls(AclBindingFilter.ANY).values().get().containsAll(rules));
    }
  }

  private static void allow(String who, String topic, AclOperation operation) throws Exception {
    grant(
        List.of(
            new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry(who, "*", operation, AclPermissionType.ALLOW))));
  }

  /** The steps of a start. */
  private static void begin(Plan plan, KafkaSettings settings) throws RefusedException {
    begin(plan, settings, settings == theirs ? OTHER : KEY);
  }

  private static AddedLoss.Outlook begin(Plan plan, KafkaSettings settings, NoiseKey key)
      throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      new RegistryHandover(plan.pipeline(), settings, cluster, key).open();
      SourceTopics source = cluster.pipelineTopics().prepare(plan, Cluster.Safety.WAIVED);
      SourceTopics fixed = TestCluster.sources(plan, source.journalPartitions());
      AddedLoss added = new AddedLoss(plan.pipeline(), settings, cluster, source, key, false);
      AddedLoss.Outlook outlook = added.require();
      Continuity.Ready ready = Continuity.require(plan, settings, cluster, fixed, key);
      cluster.offsets(plan.pipeline()).establish();
      new OffsetsOfState(plan.pipeline(), settings).requireInOrder(cluster);
      Continuity.enter(ready, settings, cluster, key);
      added.remember(outlook);
      new OrdersLog(plan.pipeline(), settings, key).read(cluster, source);
      cluster.pipelineTopics().stampedBy(plan.pipeline());
      return outlook;
    }
  }

  private static void require(Plan plan) throws RefusedException {
    try (Cluster cluster = new Cluster(admin)) {
      Continuity.require(plan, admin, cluster, TestCluster.sources(plan, 1), KEY);
    }
  }

  private static PipelineRun run(Plan plan, String state) throws RefusedException {
    return PipelineRun.start(
        plan,
        TestCluster.deployment(plan, 1, PipelineMeters.none()),
        new PipelineRun.Instance(mine, folder.resolve(state), 1, 0));
  }

  private static boolean hasMembers(Plan plan) throws RefusedException {
    try (Cluster cluster = new Cluster(mine)) {
      return cluster.groups().hasMembers(plan.pipeline().applicationId());
    }
  }

  private static void send(String topic, long after) throws RefusedException {
    try (EventPublisher publisher = new EventPublisher(admin)) {
      String at = Instant.ofEpochMilli(BASE + after).toString();
      publisher.event(
          topic, "ann", bytes("{\"who\":\"ann\",\"at\":\"%s\",\"what\":\"a\"}".formatted(at)));
      TickKey ticks = KEY.tickKey(topic.replace("-in", ""));
      publisher.tick(topic, BASE + after + 15_000, TickHeader.signedBy(ticks));
    }
  }

  private static int written(String topic, String key) throws RefusedException {
    AtomicInteger seen = new AtomicInteger();
    new OutputReader(mine)
        .read(
            List.of(topic),
            OutputReader.Ending.AT_END,
            record -> {
              seen.addAndGet(Arrays.equals(record.key(), bytes(key)) ? 1 : 0);
              return true;
            });
    return seen.get();
  }

  private static int releases(String topic) throws RefusedException {
    AtomicInteger seen = new AtomicInteger();
    new OutputReader(mine)
        .read(List.of(topic), OutputReader.Ending.AT_END, record -> seen.incrementAndGet() > 0);
    return seen.get();
  }

  private static List<String> transactions() throws Exception {
    try (Admin client = Admin.create(admin.admin())) {
      return client.listTransactions().all().get().stream()
          .map(listing -> listing.transactionalId())
          .toList();
    }
  }

  private static void fence(String id) throws RefusedException {
    Map<String, Object> config = theirs.producer();
    config.put("transactional.id", id);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
    }
  }

  /** What is no claim says nothing there, whoever wrote it. */
  private static void forge(String budget) throws Exception {
    try (Cluster cluster = new Cluster(admin)) {
      cluster.topics().createLog(AccountLog.TOPIC);
    }
    allow("User:theirs", AccountLog.TOPIC, AclOperation.WRITE);
    Map<String, String> entries =
        Map.of(
            "sealed/" + budget,
            "{\"at\":\"forged\"}",
            "continued/" + budget,
            "{\"by\":\"theirs\"}",
            "pipeline/" + budget,
            "{\"budget\":\"theirs\"}",
            "started/" + budget,
            "{\"budget\":\"%s\",\"version\":9,\"file\":\"x\",\"key\":\"y\"}".formatted(budget));
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      write(
          theirs,
          new ProducerRecord<>(
              AccountLog.TOPIC, 0, bytes(entry.getKey()), bytes(entry.getValue())));
    }
  }

  private static void forgeOwn(String budget, String name, String value, Optional<NoiseKey> key)
      throws Exception {
    String topic = Registry.topicOf(budget);
    ProducerRecord<byte[], byte[]> entry =
        new ProducerRecord<>(topic, 0, bytes(name), bytes(value));
    if (key.isPresent()) {
      CanonicalEncoder facts = new CanonicalEncoder().text(topic).text(name).text(value);
      entry.headers().add("sfumato-signature", key.get().entriesOf("budget/" + budget).sign(facts));
    }
    write(theirs, entry);
  }

  private static void write(KafkaSettings settings, ProducerRecord<byte[], byte[]> record)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            settings.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record).get();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
