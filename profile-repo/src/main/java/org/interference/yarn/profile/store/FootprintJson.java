package org.interference.yarn.profile.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.profile.Footprint;

/** What tasks were given and used, as a field of a profile's JSON object; one that stands on nothing is left out. */
final class FootprintJson {
    static final String NAME = "footprint";

    private FootprintJson() {}

    static void write(Footprint footprint, JsonGenerator json) throws IOException {
        if (footprint.tasks() == 0) {
            return;
        }
        json.writeObjectFieldStart(NAME);
        json.writeNumberField("tasks", footprint.tasks());
        json.writeNumberField("exhausted", footprint.exhausted());
        json.writeNumberField("requestedBytes", footprint.requestedBytes());
        json.writeNumberField("requestedVcores", footprint.requestedVcores());
        json.writeNumberField("machineBytes", footprint.machineBytes());
        Footprint.Totals totals = footprint.totals();
        json.writeArrayFieldStart("totals");
        json.writeNumber(totals.seconds());
        json.writeNumber(totals.requested());
        json.writeNumber(totals.peak());
        json.writeNumber(totals.working());
        json.writeNumber(totals.requestedCores());
        json.writeNumber(totals.usedCores());
        json.writeEndArray();
        json.writeArrayFieldStart("peaks");
        for (Footprint.Bucket bucket : footprint.peaks()) {
            json.writeStartArray();
            json.writeNumber(bucket.number());
            json.writeNumber(bucket.tasks());
            json.writeNumber(bucket.seconds());
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Reads the field.
     *
     * @param json null where there is none
     * @throws IllegalArgumentException if it is no footprint
     */
    static Footprint footprint(JsonNode json) {
        if (json == null) {
            return Footprint.NONE;
        }
        JsonNode totals = array(json, "totals");
        List<Footprint.Bucket> peaks = new ArrayList<>();
        for (JsonNode bucket : array(json, "peaks")) {
            peaks.add(new Footprint.Bucket(
                    Math.toIntExact(ProfileJson.whole(bucket.get(0))),
                    ProfileJson.whole(bucket.get(1)),
                    ProfileJson.number(bucket.get(2))));
        }
        return new Footprint(
                ProfileJson.whole(json.get("tasks")),
                ProfileJson.whole(json.get("exhausted")),
                ProfileJson.number(json.get("requestedBytes")),
                Math.toIntExact(ProfileJson.whole(json.get("requestedVcores"))),
                ProfileJson.number(json.get("machineBytes")),
                new Footprint.Totals(
                        ProfileJson.number(totals.get(0)),
                        ProfileJson.number(totals.get(1)),
                        ProfileJson.number(totals.get(2)),
                        ProfileJson.number(totals.get(3)),
                        ProfileJson.number(totals.get(4)),
                        ProfileJson.number(totals.get(5))),
                peaks);
    }

    private static JsonNode array(JsonNode json, String name) {
        JsonNode field = json.get(name);
        if (field == null || !field.isArray()) {
            throw new IllegalArgumentException("%s is %s but must be an array".formatted(name, field));
        }
        return field;
    }
}
