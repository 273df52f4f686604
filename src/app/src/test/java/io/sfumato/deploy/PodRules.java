// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What has to hold of each pod: the "restricted" profile of Kubernetes' Pod Security Standards, a
 * read-only root file system, bounded memory, and no rights in the cluster.
 */
final class PodRules {
  /** What the profile allows, without those that could bring a secret unseen (projected, csi). */
  private static final Set<String> VOLUMES =
      Set.of("configMap", "downwardAPI", "emptyDir", "persistentVolumeClaim", "secret");

  private static final List<String> PROBES =
      List.of("startupProbe", "livenessProbe", "readinessProbe");

  private final JsonNode set;
  private final List<String> problems = new ArrayList<>();

  private PodRules(JsonNode set) {
    this.set = set;
  }

  static List<String> problems(JsonNode set) {
    PodRules rules = new PodRules(set);
    JsonNode pod = set.at("/spec/template/spec");
    rules.checkPod(pod);
    containers(pod).forEach(rules::checkContainer);
    rules.checkProbes(pod.at("/containers/0"));
    return rules.problems;
  }

  static List<JsonNode> containers(JsonNode pod) {
    List<JsonNode> containers = new ArrayList<>();
    for (String kind : List.of("initContainers", "containers", "ephemeralContainers")) {
      pod.path(kind).forEach(containers::add);
    }
    return containers;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(ClusterObjects.name(set) + ": " + otherwise);
    }
  }

  private void checkPod(JsonNode pod) {
    JsonNode context = pod.path("securityContext");
    require(context.path("runAsNonRoot").asBoolean(), "may run as root");
    require(context.path("runAsUser").asInt() > 0, "runs as root");
    require(context.path("runAsGroup").asInt() > 0, "runs in root's group");
    require(
        context.at("/seccompProfile/type").asText().equals("RuntimeDefault"), "any system call");
    require(!pod.path("automountServiceAccountToken").asBoolean(true), "has an account's token");
    for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
      require(!pod.path(shared).asBoolean(), shared);
    }
    for (JsonNode volume : pod.path("volumes")) {
      volume
          .fieldNames()
          .forEachRemaining(
              field ->
                  require(
                      field.equals("name") || VOLUMES.contains(field), "volume of kind " + field));
      if (volume.has("secret")) {
        require(
            (volume.at("/secret/defaultMode").asInt(0644) & 0007) == 0,
            "everybody may read " + volume);
      }
    }
  }

  private void checkContainer(JsonNode container) {
    JsonNode context = container.path("securityContext");
    String name = container.path("name").asText();
    require(
        context.has("allowPrivilegeEscalation")
            && !context.path("allowPrivilegeEscalation").asBoolean(),
        name + " may gain rights");
    require(
        DeployedFiles.texts(context.at("/capabilities/drop")).contains("ALL"),
        name + " keeps capabilities");
    require(context.at("/capabilities/add").isEmpty(), name + " gets capabilities");
    require(
        context.path("readOnlyRootFilesystem").asBoolean(), name + " may write to its own files");
    require(!context.path("privileged").asBoolean(), name + " is privileged");
    // The pod's own settings are not taken back.
    require(context.path("runAsNonRoot").asBoolean(true), name + " may run as root");
    require(context.path("runAsUser").asInt(1) > 0, name + " runs as root");
    require(!context.has("seccompProfile"), name + " has another seccomp profile");
    JsonNode resources = container.path("resources");
    require(resources.at("/requests").has("cpu"), name + " requests no processor");
    JsonNode memory = resources.at("/requests/memory");
    require(!memory.isMissingNode(), name + " requests no memory");
    require(memory.equals(resources.at("/limits/memory")), name + " may lose memory that it uses");
    for (JsonNode port : container.path("ports")) {
      require(!port.has("hostPort"), name + " takes a port of the node");
    }
  }

  /** Each probe asks for the path of its own, at the port that has nothing else. */
  private void checkProbes(JsonNode container) {
    List<String> paths = List.of("/startupz", "/livez", "/readyz");
    for (int i = 0; i < PROBES.size(); i++) {
      JsonNode probe = container.path(PROBES.get(i));
      JsonNode web = probe.path("httpGet");
      String inside = String.join(" ", DeployedFiles.texts(probe.at("/exec/command")));
      require(
          web.path("path").asText().equals(paths.get(i))
                  && web.path("port").asText().equals("probes")
              || inside.contains("/127.0.0.1/8086 ") && inside.contains(" " + paths.get(i) + " "),
          PROBES.get(i) + " does not ask for " + paths.get(i));
    }
  }
}
