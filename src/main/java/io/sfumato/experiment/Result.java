package io.sfumato.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One mechanism at one epsilon on one data set.
 *
 * @param dataset its name
 * @param mechanism its title
 * @param epsilon of the whole model; none where there is no privacy, or nothing but it
 * @param metrics in the table's order
 * @param parameters of the mechanism
 */
record Result(
    String dataset,
    String mechanism,
    OptionalDouble epsilon,
    List<Summary> metrics,
    String parameters) {}
