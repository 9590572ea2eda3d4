package org.interference.yarn.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class PlanPictureTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("../conf/services.example.json");

    @Test
    void everyMachineAndEveryInstanceIsThere() throws Exception {
        Document svg = parse(PlanPicture.of(answer(Files.readString(EXAMPLE))));

        List<String> texts = texts(svg, "text");
        assertThat(texts).contains("n1", "n2", "n3", "web", "api", "cache", "db", "search", "reports");
        assertThat(texts.stream().filter("web"::equals)).hasSize(2);
        assertThat(texts(svg, "title")).contains("api talks to cache: 1.57", "talk on one machine");
    }

    @Test
    void tiersThatDisturbEachOtherAreJoined() throws Exception {
        String services = """
                {"machines": [{"name": "n", "capacity": 1}], "tiers": [
                  {"name": "a", "size": 0.1, "degradation": {"disk": 1.5}, "instances": 2},
                  {"name": "b", "size": 0.1, "degradation": {"disk": 2}}]}""";

        Document svg = parse(PlanPicture.of(answer(services)));

        assertThat(texts(svg, "title").stream().filter("disk: 4.50"::equals)).hasSize(2);
    }

    @Test
    void noNameIsMarkup() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        List<String> hostile = new ArrayList<>(List.of(
                "<script>alert(1)</script>",
                "\"/><!--",
                "]]>",
                "&lt;&amp;&#0;",
                "'onload='x",
                "\uD800",
                "\uFFFE",
                "🦓"));
        for (int i = 0; i < 50; i++) {
            StringBuilder name = new StringBuilder();
            random.ints(8, 0x20, 0x1_0000)
                    .filter(c -> !Character.isISOControl(c))
                    .forEach(name::appendCodePoint);
            hostile.add(name + "x");
        }
        for (String name : hostile) {
            JsonNode answer =
                    answer(JSON.writeValueAsString(JSON.readTree("""
                            {"name": "N", "machines": [{"name": "N", "capacity": 1}], "tiers": [
                              {"name": "N", "size": 0.1, "degradation": {"disk": 1.5}, "affinity": {"other": 1.5}},
                              {"name": "other", "size": 0.1, "degradation": {"disk": 2}}]}"""))).deepCopy();
            String replaced = answer.toString().replace("\"N\"", JSON.writeValueAsString(name));

            Document svg = parse(PlanPicture.of(JSON.readTree(replaced)));

            assertThat(svg.getElementsByTagName("script").getLength()).isZero();
            assertThat(svg.getElementsByTagName("rect").getLength()).as(name).isEqualTo(3);
        }
    }

    @Test
    void whatDoesNotFitIsMarked() throws Exception {
        JsonNode answer = JSON.readTree("""
                {"name": "x", "plan": {"cost": null, "machines": [{"name": "n", "fits": false, "cost": null, "tiers": []}]}}""");

        assertThat(texts(parse(PlanPicture.of(answer)), "text")).contains("does not fit");
    }

    private static JsonNode answer(String services) throws IOException, PlanInputException {
        return JSON.readTree(
                new LocalPlan("anneal", 10, 1, () -> 0).answer(services, Optional.empty(), Optional.empty()));
    }

    private static Document parse(String svg) throws ParserConfigurationException, SAXException, IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<String> texts(Document svg, String element) {
        NodeList found = svg.getElementsByTagName(element);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(((Element) found.item(i)).getTextContent());
        }
        return texts;
    }
}
