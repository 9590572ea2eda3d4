package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.api.Test;

class DomainTest {
    private final Random random = new Random(5);
    private final List<InterferenceVector> kinds = CoRuns.kinds(random, 6);
    /** Each of a task beside three others at most. */
    private final Domain domain = Domain.of(CoRuns.examples(random, kinds, 800));

    private Situation beside(List<InterferenceVector> neighbours) {
        return Situation.of(kinds.get(0), Neighbours.of(neighbours));
    }

    /** A node that has grown has more containers than any that was learnt from. */
    @Test
    void moreNeighboursThanWereSeenAreInsideAsLongAsTheyPressNoMore() {
        List<InterferenceVector> many = new ArrayList<>(Collections.nCopies(9, Vectors.cpu(0.01)));
        many.add(kinds.get(1));

        assertThat(domain.neighboursOutside(beside(many))).isEmpty();
        assertThat(domain.hasNeighbours(
                        beside(Collections.nCopies(8, Vectors.cpu(0.01))),
                        Pressure.of(Neighbours.of(List.of(Vectors.cpu(0.01))))))
                .isTrue();
    }

    @Test
    void neighboursWhoPressMoreThanWasSeenAreOutsideByThatFigure() {
        assertThat(domain.neighboursOutside(beside(Collections.nCopies(9, Vectors.cpu(0.9)))))
                .hasValueSatisfying(figure -> assertThat(figure).startsWith("beside."));
    }

    @Test
    void taskThatIsLikeNoneThatWasSeenIsOutsideByItsOwnFigure() {
        Situation asked = Situation.of(Vectors.cpu(40), Neighbours.of(List.of(kinds.get(1))));

        assertThat(domain.taskOutside(asked))
                .hasValueSatisfying(figure -> assertThat(figure).startsWith("own."));
    }
}
