// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What {@code doctor --rights} prints, run by a shell with a tool that writes down what it is
 * given, and granted rule by rule.
 */
final class PrintedRules {
  private static final Map<String, ResourceType> RESOURCES =
      Map.of(
          "--topic", ResourceType.TOPIC,
          "--group", ResourceType.GROUP,
          "--transactional-id", ResourceType.TRANSACTIONAL_ID);

  private PrintedRules() {}

  /** Grants what the lines say, and nothing else. */
  static List<AclBinding> grant(Path folder, String printed, KafkaSettings administrator)
      throws Exception {
    List<AclBinding> rules = new ArrayList<>();
    for (List<String> arguments : calls(folder, printed)) {
      rules.addAll(rules(arguments));
    }
    assertThat(rules).hasSizeGreaterThan(10);
    try (Admin admin = Admin.create(administrator.admin())) {
      admin.createAcls(rules).all().get();
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () -> admin.describeAcls(AclBindingFilter.ANY).values().get().size() == rules.size());
      assertThat(admin.describeAcls(AclBindingFilter.ANY).values().get())
          .containsExactlyInAnyOrderElementsOf(rules);
    }
    return rules;
  }

  private static List<List<String>> calls(Path folder, String printed)
      throws IOException, InterruptedException {
    Path calls = folder.resolve("calls");
    Path tool = Files.createDirectories(folder.resolve("tools")).resolve("kafka-acls.sh");
    Files.writeString(tool, "#!/bin/sh\nprintf '%s\\n' \"$@\" END >>" + calls + "\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    ProcessBuilder shell = new ProcessBuilder("bash", "-euo", "pipefail", "-c", printed);
    shell.environment().put("PATH", tool.getParent() + ":" + System.getenv("PATH"));
    Process process = shell.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return Arrays.stream(Files.readString(calls).split("END\n"))
        .map(call -> call.lines().toList())
        .toList();
  }

  private static List<AclBinding> rules(List<String> arguments) {
    String principal = "";
    ResourceType type = ResourceType.UNKNOWN;
    String name = "";
    PatternType pattern = PatternType.LITERAL;
    List<AclOperation> operations = new ArrayList<>();
    Iterator<String> words = arguments.iterator();
    while (words.hasNext()) {
      String option = words.next();
      switch (option) {
        case "--add", "--force" -> {}
        case "--bootstrap-server", "--command-config" -> words.next();
        case "--allow-principal" -> principal = words.next();
        case "--operation" ->
            operations.add(
                AclOperation.valueOf(
                    words.next().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT)));
        case "--resource-pattern-type" ->
            pattern = PatternType.valueOf(words.next().toUpperCase(Locale.ROOT));
        default -> {
          type = RESOURCES.get(option);
          name = words.next();
        }
      }
    }
    ResourcePattern resource = new ResourcePattern(type, name, pattern);
    String who = principal;
    return operations.stream()
        .map(
            operation ->
                new AclBinding(
                    resource, new AccessControlEntry(who, "*", operation, AclPermissionType.ALLOW)))
        .toList();
  }
}
