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

    @Test
    void kindIsCoveredInTheCompanyAloneThatItWasSeenIn() {
        Situation quiet = Situation.of(Vectors.cpu(0.2), Neighbours.of(List.of(Vectors.cpu(0.1))));
        Situation busy = Situation.of(Vectors.cpu(0.3), Neighbours.of(List.of(Vectors.cpu(0.8))));
        Domain both = Domain.of(List.of(new Example("sort", quiet, 1.1, 1), new Example("grep", busy, 2, 1)));

        Domain ofSort = both.of("sort").orElseThrow();

        assertThat(both.neighboursOutside(busy)).isEmpty();
        assertThat(both.of("grep").orElseThrow().neighboursOutside(busy)).isEmpty();
        assertThat(ofSort.neighboursOutside(quiet)).isEmpty();
        assertThat(ofSort.neighboursOutside(busy)).hasValue("beside.cpu");
        assertThat(ofSort.taskOutside(busy)).as("its own levels do not matter").isEmpty();
        assertThat(both.of("join")).as("was seen in none").isEmpty();
    }

    /** A cluster may have as many kinds as tasks. */
    @Test
    void companyIsKeptOfSoManyKindsOnlyAndOfThoseWithMostExamples() {
        Situation situation = Situation.of(Vectors.cpu(0.2), Neighbours.of(List.of(Vectors.cpu(0.1))));
        List<Example> examples = new ArrayList<>();
        for (int kind = 0; kind < 2500; kind++) {
            examples.add(new Example("kind-" + kind, situation, 1.1, 1));
        }
        examples.add(new Example("kind-2499", situation, 1.2, 1));

        assertThat(Domain.of(examples).kinds()).hasSize(2000).containsKey("kind-2499");
    }
}
