// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What has to hold of Kubernetes objects that are applied together, whichever overlay they are of:
 * references lead to something, selectors select something, and secrets go to one pod alone. What
 * holds of each pod: {@link PodRules}; of the network: {@link NetworkRules}.
 */
final class ClusterRules {
  private final ClusterObjects objects;
  private final Map<String, Set<String>> created;
  private final List<String> problems = new ArrayList<>();

  private ClusterRules(ClusterObjects objects, Map<String, Set<String>> created) {
    this.objects = objects;
    this.created = created;
  }

  /**
   * What is wrong.
   *
   * @param created secrets that are created by hand, with their keys
   */
  static List<String> problems(List<JsonNode> objects, Map<String, Set<String>> created) {
    ClusterObjects cluster = new ClusterObjects(objects);
    ClusterRules rules = new ClusterRules(cluster, created);
    for (JsonNode set : cluster.of("StatefulSet")) {
      rules.problems.addAll(PodRules.problems(set));
      rules.problems.addAll(NetworkRules.problems(cluster, set));
      rules.checkMounts(set);
      rules.checkService(set);
      rules.checkDisruptions(set);
    }
    rules.checkSelectors();
    rules.checkMonitors();
    rules.checkNames();
    return rules.problems;
  }

  private void require(boolean holds, JsonNode object, String otherwise) {
    if (!holds) {
      problems.add(ClusterObjects.name(object) + ": " + otherwise);
    }
  }

  /** What is mounted is there, with the files that the arguments name. */
  private void checkMounts(JsonNode set) {
    JsonNode pod = set.at("/spec/template/spec");
    Set<String> volumes = new HashSet<>();
    pod.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
    set.at("/spec/volumeClaimTemplates")
        .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));
    Set<String> mounted = new HashSet<>();
    for (JsonNode container : PodRules.containers(pod)) {
      for (JsonNode mount : container.path("volumeMounts")) {
        mounted.add(mount.path("name").asText());
        require(volumes.contains(mount.path("name").asText()), set, "mounts nothing: " + mount);
      }
      container
          .findParents("secretKeyRef")
          .forEach(variable -> require(false, set, "secret in the environment: " + variable));
      container
          .findParents("secretRef")
          .forEach(variable -> require(false, set, "secret in the environment: " + variable));
      for (String argument : DeployedFiles.texts(container.path("args"))) {
        require(
            !argument.startsWith("/etc/") || isMounted(container, argument),
            set,
            "no mount has " + argument);
      }
    }
    for (JsonNode volume : pod.path("volumes")) {
      String name = volume.path("name").asText();
      require(mounted.contains(name), set, "not mounted: " + name);
      Set<String> files = files(pod, name);
      if (volume.has("secret")) {
        require(!files.isEmpty(), set, "no argument reads a file of " + name);
        String secret = volume.at("/secret/secretName").asText();
        files.forEach(file -> checkSecret(set, secret, file));
      } else if (volume.has("configMap")) {
        require(!files.isEmpty(), set, "no argument reads a file of " + name);
        String map = volume.at("/configMap/name").asText();
        files.forEach(
            file -> require(hasFile(set, map, file), set, "no %s in %s".formatted(file, map)));
      }
    }
  }

  private static boolean isMounted(JsonNode container, String file) {
    for (JsonNode mount : container.path("volumeMounts")) {
      if (file.startsWith(mount.path("mountPath").asText() + "/")) {
        return true;
      }
    }
    return false;
  }

  /** Files of a volume that arguments of the containers name. */
  private static Set<String> files(JsonNode pod, String volume) {
    Set<String> files = new HashSet<>();
    for (JsonNode container : PodRules.containers(pod)) {
      for (JsonNode mount : container.path("volumeMounts")) {
        String path = mount.path("mountPath").asText() + "/";
        DeployedFiles.texts(container.path("args")).stream()
            .filter(argument -> mount.path("name").asText().equals(volume))
            .filter(argument -> argument.startsWith(path))
            .forEach(argument -> files.add(argument.substring(path.length())));
      }
    }
    return files;
  }

  private void checkSecret(JsonNode reader, String secret, String key) {
    boolean rendered =
        objects.beside(reader, "Secret", secret).stream()
            .anyMatch(found -> found.path("data").has(key) || found.path("stringData").has(key));
    require(
        rendered || created.getOrDefault(secret, Set.of()).contains(key),
        reader,
        "nothing creates %s with %s".formatted(secret, key));
  }

  private boolean hasFile(JsonNode reader, String map, String file) {
    return objects.beside(reader, "ConfigMap", map).stream()
        .anyMatch(found -> found.path("data").has(file));
  }

  private void checkService(JsonNode set) {
    List<JsonNode> services = objects.beside(set, "Service", set.at("/spec/serviceName").asText());
    require(services.size() == 1, set, "no service gives the pods their names");
    for (JsonNode service : services) {
      require(service.at("/spec/clusterIP").asText().equals("None"), service, "is not headless");
      for (JsonNode port : service.at("/spec/ports")) {
        int target = port.path("targetPort").asInt(port.path("port").asInt());
        require(
            ClusterObjects.ports(set).containsValue(target), service, "no pod has port " + target);
      }
    }
  }

  private void checkDisruptions(JsonNode set) {
    List<JsonNode> budgets =
        objects.of("PodDisruptionBudget").stream()
            .filter(budget -> objects.selects(budget, "/spec/selector", set))
            .toList();
    require(budgets.size() == 1, set, budgets.size() + " disruption budgets");
    int replicas = set.at("/spec/replicas").asInt(1);
    for (JsonNode budget : budgets) {
      int most = budget.at("/spec/maxUnavailable").asInt();
      require(most >= 1, budget, "no node can be drained");
      require(replicas == 1 || most < replicas, budget, "all instances may go at once");
    }
  }

  private void checkSelectors() {
    for (JsonNode set : objects.of("StatefulSet")) {
      require(objects.selects(set, "/spec/selector", set), set, "does not select its own pods");
      for (JsonNode spread : set.at("/spec/template/spec/topologySpreadConstraints")) {
        require(
            ClusterObjects.matches(spread.path("labelSelector"), ClusterObjects.labels(set)),
            set,
            "spreads other pods: " + spread);
      }
    }
    for (JsonNode service : objects.of("Service")) {
      JsonNode selector = service.at("/spec/selector");
      requireSelected(
          service,
          set ->
              !selector.isEmpty()
                  && ClusterObjects.hasLabels(selector, ClusterObjects.labels(set)));
    }
    for (JsonNode budget : objects.of("PodDisruptionBudget")) {
      requireSelected(budget, set -> objects.selects(budget, "/spec/selector", set));
    }
    for (JsonNode policy : objects.of("NetworkPolicy")) {
      requireSelected(policy, set -> objects.selects(policy, "/spec/podSelector", set));
    }
  }

  private void requireSelected(JsonNode object, Predicate<JsonNode> selects) {
    boolean selected =
        objects.of("StatefulSet").stream()
            .filter(set -> ClusterObjects.namespace(set).equals(ClusterObjects.namespace(object)))
            .anyMatch(selects);
    require(selected, object, "selects no pod");
  }

  private void checkMonitors() {
    for (JsonNode monitor : objects.of("ServiceMonitor")) {
      List<JsonNode> services =
          objects.of("Service").stream()
              .filter(
                  service ->
                      ClusterObjects.namespace(service).equals(ClusterObjects.namespace(monitor)))
              .filter(
                  service ->
                      ClusterObjects.matches(
                          monitor.at("/spec/selector"), service.at("/metadata/labels")))
              .toList();
      require(services.size() == 1, monitor, "watches %d services".formatted(services.size()));
      for (JsonNode endpoint : monitor.at("/spec/endpoints")) {
        JsonNode credentials = endpoint.at("/authorization/credentials");
        require(!credentials.isMissingNode(), monitor, "comes without the token");
        checkSecret(monitor, credentials.path("name").asText(), credentials.path("key").asText());
        for (JsonNode service : services) {
          require(
              service
                  .at("/spec/ports")
                  .findValuesAsText("name")
                  .contains(endpoint.path("port").asText()),
              monitor,
              "no such port: " + endpoint);
        }
      }
    }
  }

  /** Two objects of one name would be one. */
  private void checkNames() {
    Set<String> names = new HashSet<>();
    for (JsonNode object : objects.all()) {
      require(names.add(ClusterObjects.name(object)), object, "is there twice");
    }
  }
}
