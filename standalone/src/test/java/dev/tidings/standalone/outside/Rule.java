package dev.tidings.standalone.outside;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What ours shows in the place of a step of theirs, for one reason.
 *
 * @param why the reason
 * @param change gives the step itself where the rule does not apply
 */
record Rule(Difference why, UnaryOperator<Step> change) {

    static final List<Rule> ALL = List.of(
            new Rule(Difference.NO_ACTIVITY_IN_SNAPSHOT, step -> step.without("value.session.activity")),
            new Rule(
                    Difference.CHILD_SESSIONS,
                    step -> step.has("value.sourceText") ? step.and("value.sessionId") : step),
            new Rule(Difference.NO_SOURCE_TEXT, step -> step.without("value.sourceText")),
            new Rule(
                    Difference.USAGE_AT_THE_END,
                    step -> step.has("value.finishedAt") ? step : step.without("value.usage")));

    Step apply(Step step) {
        return change.apply(step);
    }
}
