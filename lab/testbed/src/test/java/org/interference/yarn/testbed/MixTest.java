package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixTest {
    @ParameterizedTest
    @EnumSource
    void theSameSeedGivesTheSameJobs(Mix mix) {
        List<MixJob> jobs = mix.jobs(7);

        assertThat(mix.jobs(7)).isEqualTo(jobs);
    }

    @ParameterizedTest
    @EnumSource
    void everySeedHasAsManyJobsOfEachKind(Mix mix) {
        Map<String, Long> kinds = kinds(mix.jobs(0));
        assertThat(LongStream.range(1, 50).mapToObj(mix::jobs))
                .allSatisfy(jobs -> assertThat(kinds(jobs)).isEqualTo(kinds));
    }

    @ParameterizedTest
    @EnumSource
    void jobsComeTenAtATimeEveryFiveSeconds(Mix mix) {
        List<MixJob> jobs = mix.jobs(3);
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(jobs.get(i).submitted()).isEqualTo(Duration.ofSeconds(i / 10 * 5L));
            assertThat(jobs.get(i).number()).isEqualTo(i + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotFixedWorkBringsItsOwnContainers(Mix mix) {
        assertThat(mix.jobs(5)).allSatisfy(job -> assertThat(job.containers() == 0)
                .isEqualTo(!job.kind().isFixedWork()));
    }

    @Test
    void everyKindIsMeasuredAloneOnEveryHost() {
        List<MixJob> jobs = Mix.CONTENDED.alone(List.of("host1", "host2"));

        assertThat(jobs).extracting(MixJob::kind).isEqualTo(Mix.CONTENDED.kinds());
        assertThat(jobs).allSatisfy(job -> assertThat(job.hosts()).containsExactly("host1", "host2"));
    }

    @Test
    void anUnknownMixIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Mix.named("quiet"))
                .hasMessageContaining("[contended, uncontended, overrequested, hibench, smoke]");
    }

    private static Map<String, Long> kinds(List<MixJob> jobs) {
        return jobs.stream().collect(Collectors.groupingBy(job -> job.kind().name(), Collectors.counting()));
    }
}
