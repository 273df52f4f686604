/**
 * Consistent tables of a window's records: all one- and two-way tables of some columns, or every
 * level of a path, of one noisy vector.
 *
 * <p>Start with {@link CrossTables} and {@link LevelTables}, which say what is counted, and {@link
 * TableQuery}, which is measured. {@link TableWeights} has the sensitivity, Theorem O.
 *
 * <pre>{@code
 * CrossTables tables = CrossTables.of(2, 4, 3, 5);
 * CalibrationTarget share = new CalibrationTarget("sales", Epsilon.of("1"), Delta.of("1e-6"), 1);
 * TableQuery query = BestWeights.query(tables, Tables.Total.MEASURED);
 * GridMeasurement<TableQuery> mechanism =
 *     VectorCalibrator.gaussian(share, query, query.weights().addOrRemove(1))
 *         .orElseThrow()
 *         .mechanism();
 *
 * long[] records = new long[10_000];
 * for (int i = 0; i < records.length; i++) {
 *   records[i] = tables.category(i % 4, i % 3, i % 7 % 5);
 * }
 * // For a simulation; real releases go through Gate.release.
 * KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
 * NoisyVector drawn = mechanism.distribution(tables.counts(records)).draw(random);
 * TablesEstimate found = new TablesEstimates(mechanism).of(drawn);
 * System.out.println(found.counts()[0] + " records");
 * }</pre>
 */
package io.sfumato.mechanism.tables;
