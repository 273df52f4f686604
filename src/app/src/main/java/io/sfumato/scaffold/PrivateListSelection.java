// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.Receipt.Name;
import io.sfumato.scaffold.Receipt.Spent;
import io.sfumato.scaffold.Receipts.Kept;
import java.io.Closeable;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists of names that were paid for: found in a sample by one draw
 * (docs/theory/partition-selection.md, Theorem M), once. A receipt says what it cost and what was
 * found; where it is there, it answers.
 *
 * @param receipts where they lie
 * @param sample name of what is looked at
 * @param person field of whoever is protected: all of one person's records, added or removed
 * @param secret that noise is derived from; without one a secret that nobody keeps
 * @param clock of the receipt's time
 */
public record PrivateListSelection(
    Receipts receipts, String sample, String person, Optional<NoiseSecret> secret, Clock clock) {
  /** Of the draft's, in ids of draws. */
  private static final String PROGRAM = "sfumato new";

  /**
   * A list that is wanted.
   *
   * @param list what it is a list of
   * @param field that holds the names
   * @param most names of one person that count, at least 1
   */
  public record Wish(String list, String field, int most) {}

  /**
   * Lists, in the order of the wishes.
   *
   * @param names of each, the most frequent first
   * @param words what they cost, for comments
   * @param again whether a receipt answered, so that nothing was spent now
   * @param receipt its file
   * @param lists what each is a list of, with the field that holds the names
   * @param least people from whom on a name is found, noise and all, of each list
   */
  public record Answer(
      List<List<String>> names,
      String words,
      boolean again,
      Path receipt,
      List<String> lists,
      List<Long> least) {}

  /** Beside a draft. */
  public static PrivateListSelection beside(
      Path draft, String sample, String person, Optional<NoiseSecret> secret, Clock clock) {
    return new PrivateListSelection(Receipts.beside(draft), sample, person, secret, clock);
  }

  /**
   * The lists: from a receipt of this sample, else drawn, after a receipt of what that costs is on
   * the disk.
   *
   * @param wishes at least 1
   * @throws RefusedException if the price affords none, or what was spent on this sample was spent
   *     on other lists
   */
  public Answer of(List<Wish> wishes, ListPrice price, WholeSample records)
      throws RefusedException {
    Closeable alone = receipts.alone();
    try {
      return ofAlone(wishes, price, records);
    } finally {
      Receipts.release(alone);
    }
  }

  private Answer ofAlone(List<Wish> wishes, ListPrice price, WholeSample records)
      throws RefusedException {
    Optional<Kept> kept = receipts.find(receipt -> receipt.sample().equals(sample));
    if (kept.isPresent() && kept.get().receipt().allDrawn()) {
      return again(kept.get(), wishes);
    }
    if (kept.isPresent()) {
      Optional<Kept> drawn = Receipts.drawn(kept.get());
      if (drawn.isPresent()) {
        Receipts.complete(drawn.get());
        return again(drawn.get(), wishes);
      }
    }
    // What it costs is fixed before any record is looked at.
    ListPrice part = price.part(wishes.size());
    List<DiscoveryMechanism> mechanisms = new ArrayList<>();
    for (Wish wish : wishes) {
      mechanisms.add(part.mechanism(wish.most()));
    }
    NoiseKey key = secret.orElseGet(NoiseSecret::random).derive();
    List<UserNames> names = counted(wishes, records, key);
    List<Spent> spent = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i++) {
      spent.add(unfound(wishes.get(i), part, mechanisms.get(i)));
    }
    Kept charged = kept.isPresent() ? resumed(kept.get(), spent, key) : charged(spent, price, key);
    StateEpoch nonce = StateEpoch.parse(charged.receipt().nonce());
    List<Spent> drawn = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i++) {
      drawn.add(
          spent.get(i).with(found(wishes.get(i), mechanisms.get(i), names.get(i), key, nonce)));
    }
    Kept complete = new Kept(charged.file(), charged.receipt().with(drawn));
    Receipts.complete(complete);
    return answer(complete, drawn, false);
  }

  private List<UserNames> counted(List<Wish> wishes, WholeSample records, NoiseKey key)
      throws RefusedException {
    List<UserNames> names =
        wishes.stream().map(wish -> new UserNames(wish.field(), wish.most(), key)).toList();
    List<String> fields = wishes.stream().map(Wish::field).distinct().toList();
    records.read(
        person,
        fields,
        (who, field, value) -> {
          for (int i = 0; i < wishes.size(); i++) {
            if (wishes.get(i).field().equals(field)) {
              names.get(i).add(who, value);
            }
          }
        });
    return names;
  }

  private static Spent unfound(Wish wish, ListPrice part, DiscoveryMechanism mechanism) {
    return new Spent(
        wish.list(),
        wish.field(),
        part.epsilon(),
        part.delta(),
        mechanism.charge().mechanism(),
        mechanism.parameters(),
        wish.most(),
        mechanism.threshold().least(),
        null);
  }

  private Kept charged(List<Spent> spent, ListPrice price, NoiseKey key) throws RefusedException {
    Receipt receipt =
        new Receipt(
            Receipt.VERSION,
            clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
            sample,
            person,
            "all records of any one '%s' in the sample, added or removed".formatted(person),
            price.epsilon(),
            price.delta(),
            secret.isPresent() ? key.tag() : Receipt.EPHEMERAL,
            StateEpoch.random().toString(),
            spent);
    receipts.write(receipt);
    return new Kept(receipts.file(), receipt);
  }

  /**
   * What ended between the charge and the draw: the same draw, or none. Nothing was told of it, so
   * that it may be of the sample as it is now.
   */
  private static Kept resumed(Kept kept, List<Spent> spent, NoiseKey key) throws RefusedException {
    List<Spent> charged = kept.receipt().draws();
    boolean same = charged.size() == spent.size() && key.tag().equals(kept.receipt().key());
    for (int i = 0; same && i < spent.size(); i++) {
      same = charged.get(i).isLike(spent.get(i));
    }
    if (!same) {
      throw refused(
          kept,
          "is the receipt of a draw that was never completed; nothing was released. Repeat the "
              + "command with the same options and the same secret, or move the file away to pay "
              + "for a new draw");
    }
    return kept;
  }

  private static List<Name> found(
      Wish wish, DiscoveryMechanism mechanism, UserNames names, NoiseKey key, StateEpoch nonce) {
    Gate gate = new Gate(key);
    List<Name> found = new ArrayList<>();
    for (Map.Entry<String, Long> name : names.counts().entrySet()) {
      ReleaseId id =
          new ReleaseId(
              PROGRAM,
              nonce,
              Receipt.VERSION,
              wish.list() + " " + wish.field(),
              name.getKey(),
              0,
              0);
      gate.discover(
              Permit.ofReceipt(id, mechanism),
              id,
              Measured.of(mechanism, Secret.of(new NameCount(name.getValue()))))
          .ifPresent(noisy -> found.add(new Name(name.getKey(), Math.round(noisy.count()))));
    }
    found.sort(Comparator.comparingLong(Name::people).reversed().thenComparing(Name::name));
    return found;
  }

  private Answer again(Kept kept, List<Wish> wishes) throws RefusedException {
    List<Spent> draws = new ArrayList<>();
    for (Wish wish : wishes) {
      Optional<Spent> draw = kept.receipt().draw(wish.list(), wish.field());
      if (draw.isEmpty() || !kept.receipt().person().equals(person)) {
        throw refused(
            kept,
            "tells what was spent on this sample, and not for %s by '%s' of each '%s'. Nothing is spent on it twice: list them (--%s), or move the receipt away, and both costs add up"
                .formatted(wish.list(), wish.field(), person, wish.list()));
      }
      draws.add(draw.get());
    }
    return answer(kept, draws, true);
  }

  private static Answer answer(Kept kept, List<Spent> draws, boolean again) {
    Receipt receipt = kept.receipt();
    return new Answer(
        draws.stream().map(draw -> draw.found().stream().map(Name::name).toList()).toList(),
        "found in a sample for %s once, receipt %s"
            .formatted(
                new ListPrice(receipt.epsilon(), receipt.delta()).text(),
                kept.file().getFileName()),
        again,
        kept.file(),
        draws.stream().map(draw -> "%s of '%s'".formatted(draw.list(), draw.field())).toList(),
        draws.stream().map(Spent::threshold).toList());
  }

  private static RefusedException refused(Kept kept, String problem) {
    return new RefusedException(ExitCode.REFUSED_FILE, kept.file() + " " + problem);
  }
}
