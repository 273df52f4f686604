package io.sfumato.pipeline;

import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.dirichlet.Calibration;

/**
 * A private distribution over the categories, for every subject and closed window.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param calibration how the Dirichlet parameters follow from the share
 * @param share what it may spend
 * @param horizon number of releases of one subject and period that the share must cover
 * @param model public guess of a dataset, on which the parameters are chosen
 */
public record HistogramSpec(
    String name,
    String topic,
    Calibration calibration,
    ShareSpec share,
    long horizon,
    PlanningModel model)
    implements ReleaseSpec {}
