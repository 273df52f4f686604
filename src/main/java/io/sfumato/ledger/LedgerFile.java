package io.sfumato.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.noise.Sha256;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/**
 * A sealed ledger in a file: one JSON object a line, facts first, then one line a ledger, then how
 * many there are and the SHA-256 of all that stands before. It names subjects: only its owner may
 * read it.
 *
 * @param budget whose ledger it is
 * @param image the ledger
 * @param digest of the file, hexadecimal
 */
public record LedgerFile(String budget, LedgerImage image, String digest) {
  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Writes a new file.
   *
   * @throws RefusedException if it is there already or cannot be written
   */
  public static LedgerFile write(Path file, String budget, LedgerImage image)
      throws RefusedException {
    MessageDigest digest = Sha256.digest();
    try {
      FileAttribute<?>[] attributes =
          Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix")
              ? new FileAttribute<?>[] {
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
              }
              : new FileAttribute<?>[0];
      try (FileChannel channel =
              FileChannel.open(
                  file,
                  EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                  attributes);
          Writer out = Channels.newWriter(channel, StandardCharsets.UTF_8)) {
        put(out, digest, facts(budget, image));
        for (LedgerImage.Line line : image.lines()) {
          put(out, digest, json(line));
        }
        String found = HexFormat.of().formatHex(digest.digest());
        put(
            out,
            Sha256.digest(),
            JSON.createObjectNode().put("ledgers", image.lines().size()).put("sha256", found));
        out.flush();
        channel.force(true);
        return new LedgerFile(budget, image, found);
      }
    } catch (FileAlreadyExistsException e) {
      throw refused(file + " exists; a ledger is never overwritten");
    } catch (IOException e) {
      throw refused("cannot write " + file + ": " + e.getClass().getSimpleName());
    }
  }

  /**
   * Reads a file and checks its number of ledgers and its digest.
   *
   * @throws RefusedException if it is damaged, incomplete or none
   */
  public static LedgerFile read(Path file) throws RefusedException {
    MessageDigest digest = Sha256.digest();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      JsonNode facts = JSON.readTree(take(in, digest, file));
      if (facts.path("format").asInt() != FORMAT || !facts.path("budget").isTextual()) {
        throw refused(file + " is no ledger that this program writes");
      }
      List<LedgerImage.Line> lines = new ArrayList<>();
      String found = HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
      JsonNode next = JSON.readTree(take(in, digest, file));
      while (!next.has("sha256")) {
        lines.add(line(next));
        found = HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        next = JSON.readTree(take(in, digest, file));
      }
      if (!found.equals(next.path("sha256").asText())
          || next.path("ledgers").asInt() != lines.size()
          || in.readLine() != null) {
        throw damaged(file);
      }
      byte[] terms = Base64.getDecoder().decode(facts.path("terms").asText());
      return new LedgerFile(
          facts.path("budget").asText(),
          new LedgerImage(terms, facts.path("floor").asLong(), lines),
          found);
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file");
    } catch (JsonProcessingException | IllegalArgumentException | CloneNotSupportedException e) {
      throw damaged(file);
    } catch (IOException e) {
      throw refused("cannot read " + file + ": " + e.getClass().getSimpleName());
    }
  }

  private static ObjectNode facts(String budget, LedgerImage image) {
    ObjectNode facts = JSON.createObjectNode().put("format", FORMAT).put("budget", budget);
    image.facts().forEach(facts::put);
    return facts
        .put("floor", image.floor())
        .put("terms", Base64.getEncoder().encodeToString(image.terms()));
  }

  private static ObjectNode json(LedgerImage.Line line) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("period", line.period())
            .put("share", line.share())
            .put("subject", line.subject())
            .put("announced", line.announced());
    ObjectNode charges = json.putObject("charges");
    line.charges().forEach((id, count) -> charges.put(Integer.toString(id), count));
    return json;
  }

  private static LedgerImage.Line line(JsonNode json) {
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

  private static void put(Writer out, MessageDigest digest, ObjectNode json) throws IOException {
    String line = JSON.writeValueAsString(json) + "\n";
    digest.update(line.getBytes(StandardCharsets.UTF_8));
    out.write(line);
  }

  private static String take(BufferedReader in, MessageDigest digest, Path file)
      throws IOException, RefusedException {
    String line = in.readLine();
    if (line == null) {
      throw damaged(file);
    }
    digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
    return line;
  }

  private static RefusedException damaged(Path file) {
    return refused(file + " is damaged or incomplete; take the file as 'ledger export' wrote it");
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
