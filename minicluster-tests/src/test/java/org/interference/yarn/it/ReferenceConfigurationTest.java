package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.hadoop.conf.Configuration;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.nm.app.NodeControlSettings;
import org.interference.yarn.nm.app.NodeSettings;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.relocate.RelocationSettings;
import org.junit.jupiter.api.Test;

/**
 * The files in conf/ say what the code does. The reference is generated: run this test with
 * {@code -Dinterference.write-reference=true} to write it anew.
 */
class ReferenceConfigurationTest {
    private static final Path CONF = Path.of("..", "conf");
    private static final Path REFERENCE = CONF.resolve("interference-reference.xml");

    @Test
    void theReferenceHoldsEveryKeyWithItsDefaultAndMeaning() throws Exception {
        String generated = keys().map(ReferenceConfigurationTest::property)
                .collect(Collectors.joining("\n", """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <!-- Every setting of the plugins with its default. Generated from the code by ReferenceConfigurationTest. -->
                        <configuration>

                        """, "\n</configuration>\n"));
        if (Boolean.getBoolean("interference.write-reference")) {
            Files.writeString(REFERENCE, generated);
        }

        assertThat(Files.readString(REFERENCE)).isEqualTo(generated);
    }

    @Test
    void theExampleSetsOnlyKeysThatExist() {
        Configuration example = new Configuration(false);
        example.addResource(new org.apache.hadoop.fs.Path(
                CONF.resolve("yarn-site.example.xml").toUri()));
        List<String> known = keys().map(ConfigKey::name).toList();

        assertThat(example)
                .extracting(Map.Entry::getKey)
                .filteredOn(name -> name.startsWith("yarn.interference."))
                .isNotEmpty()
                .isSubsetOf(known);
    }

    private static Stream<ConfigKey<?>> keys() {
        return Stream.of(
                        NodeSettings.KEYS,
                        NodeControlSettings.KEYS,
                        IngestSettings.KEYS,
                        ProfileSettings.KEYS,
                        PredictSettings.KEYS,
                        PlaceSettings.KEYS,
                        GovernorSettings.KEYS,
                        RelocationSettings.KEYS)
                .flatMap(List::stream);
    }

    private static String property(ConfigKey<?> key) {
        return """
                  <property>
                    <name>%s</name>
                    <value>%s</value>
                    <description>%s Must be %s.</description>
                  </property>
                """.formatted(key.name(), key.fallback(), escaped(key.doc()), escaped(key.rule()));
    }

    private static String escaped(String text) {
        return StringEscapeUtils.escapeXml10(text);
    }
}
