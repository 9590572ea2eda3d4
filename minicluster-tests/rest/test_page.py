# SPDX-License-Identifier: Apache-2.0
"""The page in headless Chromium, against a running ResourceManager.

INTERFERENCE_REST is its web address, as http://localhost:8088. INTERFERENCE_SCREENSHOTS is a directory: with it,
pictures for the documentation are taken too.
"""

import json
import os
import re
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

BASE = os.environ.get("INTERFERENCE_REST", "").rstrip("/")
REST = BASE + "/ws/v1/interference"
SCREENSHOTS = os.environ.get("INTERFERENCE_SCREENSHOTS")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# How long an answer may take that comes: in the gate, other programs have the machine for seconds at a time.
PATIENCE_MS = 120_000

# Each view's label in the navigation, its heading and the paths that it asks.
VIEWS = {
    "overview": ("Overview", "Overview", ["health", "heatmap"]),
    "nodes": ("Nodes", "Nodes", ["nodes"]),
    "sizes": ("Node sizes", "Node sizes", ["capacity"]),
    "containers": ("Containers", "Containers", ["containers"]),
    "profiles": ("Profiles", "Profiles", ["profiles", "clusters"]),
    "model": ("Model", "Model", ["model"]),
    "decisions": ("Decisions", "Decisions", ["decisions"]),
    "shadow": ("Shadow report", "Shadow report", ["shadow-report"]),
    "pairs": ("Who hurts whom", "Who hurts whom", ["pairs"]),
    "traffic": ("Who talks to whom", "Who talks to whom", ["traffic"]),
    "advice": ("Sizes and nodes", "Sizes and nodes", ["advice/kinds", "advice/nodes"]),
}
WIDTHS = [1280, 400]
SCHEMES = ["light", "dark"]
MARKUP = "<img src=x onerror=\"document.title='hurt'\"><script>document.title='hurt'</script>"


@pytest.fixture(scope="session")
def browser():
    if not BASE:
        pytest.fail("INTERFERENCE_REST is not set: start a ResourceManager with the plugin and name its web address")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield chromium
        chromium.close()


class Visit:
    """A tab that remembers what a test claims never happens: complaints in the console, and requests to other hosts."""

    def __init__(self, browser, width=1280, scheme="light", height=800):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self.context.new_page()
        self.complaints = []
        self.elsewhere = []
        self.asked = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._requested)

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _requested(self, request):
        self.asked.append(request.url)
        if urlsplit(request.url).netloc != urlsplit(BASE).netloc:
            self.elsewhere.append(request.url)

    def rest(self, path):
        """Asks REST itself, as whom the page asks."""
        response = self.context.request.get(f"{REST}/{path}")
        assert response.ok, f"{path}: {response.status} {response.text()}"
        return response.json()

    def open(self, route, heading, *paths):
        """Opens a view, and returns what REST answered it for each of the paths."""
        with ExitStack() as stack:
            answers = [stack.enter_context(self.page.expect_response(_of(path))) for path in paths]
            self.page.goto(f"{REST}/ui#/{route}")
        self.shows(heading)
        return [answer.value.json() for answer in answers]

    def shows(self, heading):
        expect(self.page.get_by_role("heading", level=1, name=heading, exact=True)).to_be_visible()
        expect(self.page.locator("main")).to_have_attribute("aria-busy", "false")

    def table(self, caption):
        """The table whose caption begins so."""
        pattern = re.compile(rf"^\s*{re.escape(caption)}")
        return self.page.locator("table").filter(has=self.page.locator("caption", has_text=pattern))

    def row_heads(self, caption):
        return self.table(caption).locator("tbody th").all_inner_texts()

    def answers_with(self, path, answer, status=200):
        """From now on the page gets this answer for the path."""
        self.page.route(
            _matching(path),
            lambda route: route.fulfill(status=status, content_type="application/json", body=json.dumps(answer)),
        )

    def close(self):
        self.context.close()


def _of(path):
    return lambda response: _matching(path)(response.url)


def _matching(path):
    return lambda url: urlsplit(url).path == urlsplit(f"{REST}/{path}").path


@pytest.fixture
def visit(browser):
    visit = Visit(browser)
    yield visit
    visit.close()
    assert visit.complaints == [], "the console is not silent"
    assert visit.elsewhere == [], "another host was asked"


@pytest.fixture
def refused(browser):
    """A tab in which answers fail, of which the browser itself complains in the console."""
    visit = Visit(browser)
    yield visit
    visit.close()
    assert all("Failed to load resource" in complaint for complaint in visit.complaints), visit.complaints
    assert visit.elsewhere == []


def figure(text):
    return float(re.search(r"-?[\d,]+(\.\d+)?", text)[0].replace(",", ""))


def measured_node(visit):
    nodes = visit.rest("nodes?limit=1000")["nodes"]
    return max(nodes, key=lambda node: node.get("containers", 0))["node"]


def explained_container(visit):
    """A newly placed container whose decision has a ranking, and whom others slow down if there is one of that kind."""
    decisions = visit.rest("decisions?limit=100")["decisions"]
    ranked = [decision["container"] for decision in decisions if decision["visible"] and decision["nodes"]]
    assert ranked, "no placement on this cluster was ranked that its user may view"
    hurt = (name for name in ranked[:20] if visit.rest(f"containers/{name}/explain")["pairs"])
    return next(hurt, ranked[0])


def every_view(visit):
    """Opens each view in turn, one node and one container included."""
    for route, (_, heading, paths) in VIEWS.items():
        visit.open(route, heading, *paths)
        yield route
    node = measured_node(visit)
    visit.open(f"nodes/{quote(node, safe='')}", f"Node {node}")
    yield "node"
    container = explained_container(visit)
    visit.open(f"containers/{container}", f"Container {container}")
    yield "container"
    profiles = [profile["key"] for profile in visit.rest("profiles")["profiles"]]
    if profiles:
        visit.open(f"profiles/{quote(profiles[0], safe='')}", f"Profile {profiles[0]}")
        yield "profile"


# What each view shows


def test_overview_tells_health_as_rest_does(visit):
    health, _ = visit.open("overview", "Overview", "health", "heatmap")

    main = visit.page.locator("main")
    expect(main.locator(".badge").first).to_have_text(health["status"])
    expect(main).to_contain_text(health["predictor"])
    expect(main).to_contain_text(health["store"]["file"])
    for problem in health["problems"]:
        expect(main).to_contain_text(problem)
    mode = visit.page.locator(".facts div").filter(has=visit.page.get_by_text("Mode", exact=True))
    expect(mode).to_contain_text(health["mode"])
    expect(mode).to_contain_text(health["configuredMode"])
    visit.page.get_by_text("Every counter and gauge").click()
    assert visit.row_heads("Counters") == list(health["counters"])
    assert visit.row_heads("Gauges") == list(health["gauges"])


def test_heat_map_shows_every_level_as_a_number(visit):
    _, heatmap = visit.open("overview", "Overview", "health", "heatmap")
    assert heatmap["rows"], "this cluster has no nodes"

    table = visit.table("Mean level")
    signals = table.locator("thead th").all_inner_texts()[3:]
    assert sorted(signals) == sorted(heatmap["signals"])
    rows = table.locator("tbody tr").all()
    assert len(rows) == len(heatmap["rows"])
    for row, group in zip(rows, heatmap["rows"]):
        assert group["first"] in row.locator("th").inner_text()
        cells = row.locator("td").all_inner_texts()
        assert (figure(cells[0]), figure(cells[1])) == (group["nodes"], group["fresh"])
        for signal, cell in zip(signals, cells[2:]):
            if signal in group["mean"]:
                assert figure(cell) == pytest.approx(group["mean"][signal], abs=0.00501)
            else:
                assert "not measured" in cell


def test_heat_map_shows_the_highest_of_each_group_when_asked(visit):
    visit.open("overview", "Overview", "heatmap")

    visit.page.get_by_label("Of each group").select_option("the highest")
    with visit.page.expect_response(_of("heatmap")) as answer:
        visit.page.get_by_role("button", name="Show").click()

    expect(visit.table("Highest level")).to_be_visible()
    group = answer.value.json()["rows"][0]
    table = visit.table("Highest level")
    signals = table.locator("thead th").all_inner_texts()[3:]
    cells = table.locator("tbody tr").first.locator("td").all_inner_texts()[2:]
    for signal, cell in zip(signals, cells):
        if signal in group["max"]:
            assert figure(cell) == pytest.approx(group["max"][signal], abs=0.00501)


def test_group_of_nodes_leads_to_exactly_its_nodes(visit):
    visit.page.route(
        _matching("heatmap"), lambda route: route.continue_(url=re.sub(r"rows=\d+", "rows=2", route.request.url))
    )
    _, heatmap = visit.open("overview", "Overview", "health", "heatmap")
    group = heatmap["rows"][-1]
    if group["nodes"] == 1:
        pytest.skip("this cluster has too few nodes for a group")

    visit.table("Mean level").locator("tbody th a").last.click()

    visit.shows("Nodes")
    nodes = visit.row_heads("Nodes and what")
    assert (nodes[0], len(nodes)) == (group["first"], min(group["nodes"], 1000))
    if group["nodes"] <= 1000:
        assert nodes[-1] == group["last"]


def test_single_node_of_the_heat_map_leads_to_that_node(visit):
    node = measured_node(visit)
    visit.open(f"overview?contains={quote(node, safe='')}", "Overview")

    visit.table("Mean level").get_by_role("link", name=node, exact=True).click()

    visit.shows(f"Node {node}")


def test_ten_thousand_nodes_are_a_hundred_rows_and_three_questions(visit):
    levels = {"cpu": 0.5, "blk": 0.25}
    rows = [
        {"first": f"n{i:03}00:1", "last": f"n{i:03}99:1", "nodes": 100, "fresh": 99, "mean": levels, "max": levels}
        for i in range(100)
    ]
    visit.answers_with("heatmap", {"total": 10_000, "signals": ["blk", "cpu"], "rows": rows})

    visit.open("overview", "Overview")

    expect(visit.table("Mean level of each signal, 10000 nodes")).to_be_visible()
    expect(visit.table("Mean level").locator("tbody tr")).to_have_count(100)
    asked = [url for url in visit.asked if url.startswith(REST) and "/ui" not in url]
    assert sorted(urlsplit(url).path.rsplit("/", 1)[-1] for url in asked) == ["health", "heatmap", "signals"]
    assert any("rows=100" in url for url in asked)


def test_nodes_are_listed_and_filtered(visit):
    [answer] = visit.open("nodes", "Nodes", "nodes")
    names = [node["node"] for node in answer["nodes"]]
    assert visit.row_heads("Nodes and what") == names

    visit.page.get_by_label("With this in their name").fill(names[-1])
    visit.page.get_by_label("State").select_option("any")
    visit.page.get_by_role("button", name="Show").click()

    expect(visit.table("Nodes and what").locator("tbody th")).to_have_text([names[-1]])


def test_node_shows_its_containers_and_keeps_what_is_another_users(visit):
    node = measured_node(visit)
    path = f"nodes/{quote(node, safe='')}"

    [detail] = visit.open(path, f"Node {node}", path)

    shown = [container.get("container", "another user's") for container in detail["containers"]]
    if shown:
        assert visit.row_heads("Containers of this node") == shown
    for signal in detail["node"].get("levels", {}):
        expect(visit.table("Level of each signal").get_by_role("columnheader", name=signal, exact=True)).to_be_visible()


def test_node_draws_what_it_said_of_itself_and_lists_what_it_says_now(visit):
    node = measured_node(visit)
    path = f"nodes/{quote(node, safe='')}"
    visit.answers_with(
        f"{path}/history",
        {"node": node, "from": "2026-01-01T00:00:00Z", "stepSeconds": 60, "values": {"cpu": [0.1, None, 0.5], "disk": [1, 2, 3]}},
    )

    [detail] = visit.open(path, f"Node {node}", path)

    figures = detail["node"]["figures"]
    assert figures["cpus"] >= 1
    assert visit.row_heads("What the node says of itself") == list(figures) + list(detail["node"]["untold"])
    chart = visit.page.get_by_role("img", name=f"Node {node} in the last 3 minutes")
    expect(chart).to_be_visible()
    # The minute in which it said nothing is a gap.
    expect(chart.locator("path.line")).to_have_count(1)
    assert chart.locator("path.line").get_attribute("d").count("M") == 2


def test_node_without_history_says_so(visit):
    node = measured_node(visit)
    path = f"nodes/{quote(node, safe='')}"
    visit.answers_with(f"{path}/history", {"node": node, "values": {}})

    visit.open(path, f"Node {node}", path)

    expect(visit.page.get_by_text("Nothing is kept of the last minutes")).to_be_visible()


def assert_who_waited(visit, offer):
    waited = visit.table(f"Who waited for {offer['node']}").last
    expect(waited.locator("tbody tr")).to_have_count(len(offer["contenders"]))
    for place, (row, contender) in enumerate(zip(waited.locator("tbody tr").all(), offer["contenders"])):
        if contender["known"]:
            assert figure(row.locator("td").first.inner_text()) == pytest.approx(contender["gain"], abs=0.00501)
        assert ("got it" in row.inner_text()) == (offer.get("winner") == place)


def test_explanation_tells_decision_and_gains_as_rest_does(visit):
    name = explained_container(visit)
    path = f"containers/{name}/explain"

    [explanation] = visit.open(f"containers/{name}", f"Container {name}", path)

    main = visit.page.locator("main")
    for sentence in explanation["advice"]:
        expect(main).to_contain_text(sentence)
    assert explanation.get("wait", {}).get("throttled", False) == main.locator("strong", has_text="Its own CPU limit").is_visible()
    expect(visit.table("Containers that slow this one").locator("> tbody > tr")).to_have_count(len(explanation["pairs"]))
    assert "decision" in explanation, "no decision of what ran on this cluster is known"
    decision = explanation["decision"]
    expect(main).to_contain_text(decision["explanation"])
    if "offer" in decision:
        assert_who_waited(visit, decision["offer"])
    if decision["nodes"]:
        gains = visit.table("Gain on each node")
        expect(gains.locator("tbody tr")).to_have_count(len(decision["nodes"]))
        for row, verdict in zip(gains.locator("tbody tr").all(), decision["nodes"]):
            assert verdict["node"] in row.inner_text()
            if "seconds" in verdict:
                gain, *terms = [figure(cell) for cell in row.locator("td").all_inner_texts()[:5]]
                assert gain == pytest.approx(verdict["gain"], abs=0.00501)
                told = verdict["seconds"]
                expected = [told[term] for term in ("own", "neighbours", "locality", "tags")]
                assert terms == pytest.approx(expected, abs=0.0501)


def test_profiles_are_a_table_and_points_in_a_plane(visit):
    answer, clusters = visit.open("profiles", "Profiles", "profiles", "clusters")

    heads = visit.row_heads("Profiles, with")
    assert len(heads) == len(answer["profiles"])
    for head, profile in zip(heads, answer["profiles"]):
        assert profile["key"] in head
        assert ("for administrators" in head) == (not profile["visible"])
    if clusters["points"]:
        plane = visit.page.get_by_role("img", name="Profiles in the plane")
        expect(plane.locator(".mark")).to_have_count(len(clusters["points"]))
        visit.page.get_by_text("The same as a table").click()
        assert visit.row_heads("Profiles in the plane") == [point["key"] for point in clusters["points"]]
    else:
        expect(visit.page.locator(".empty").last).to_be_visible()


def test_profile_shows_percentile_and_peak_of_each_signal(visit):
    profiles = visit.rest("profiles")["profiles"]
    if not profiles:
        pytest.skip("nothing was learnt on this cluster")
    profile = profiles[0]

    visit.open(f"profiles/{quote(profile['key'], safe='')}", f"Profile {profile['key']}")

    assert sorted(visit.row_heads("Signals: averages")) == sorted(profile["signals"])
    for head in ("95th percentile", "Peak"):
        expect(visit.table("Run time: averages").get_by_role("columnheader", name=head)).to_be_visible()


def test_model_shows_versions_trainings_and_each_hour(visit):
    [model] = visit.open("model", "Model", "model")

    expect(visit.page.locator(".facts").first).to_contain_text(model["champion"])
    for caption, rows in (("Versions that", model["versions"]), ("Trainings", model["rounds"])):
        expect(visit.table(caption).locator("tbody tr")).to_have_count(len(rows))
    told = [hour for hour in model["history"] if "meanError" in hour]
    if told:
        expect(visit.page.get_by_role("img", name="Mean error of predictions")).to_be_visible()
        visit.page.get_by_text("The same as a table").click()
        rows = visit.table("Accuracy by hour").locator("tbody tr")
        expect(rows).to_have_count(len(model["history"]))
        first = model["history"].index(told[0])
        shown = rows.nth(first).locator("td").all_inner_texts()
        assert figure(shown[0]) == told[0]["predictions"]
        assert figure(shown[1]) == pytest.approx(100 * told[0]["meanError"], abs=0.0501)
    else:
        expect(visit.page.locator("main")).to_contain_text("no prediction has been compared")


def test_accuracy_over_time_is_interrupted_where_nothing_was_compared(visit):
    model = visit.rest("model")
    hour = {"predictions": 7, "meanError": 0.25, "bias": -0.5, "priorMeanError": 0.125}
    model["history"] = [
        {**hour, "from": "2026-01-01T00:00:00Z"},
        {"predictions": 0, "from": "2026-01-01T01:00:00Z"},
        {**hour, "from": "2026-01-01T02:00:00Z"},
    ]
    visit.answers_with("model", model)

    visit.open("model", "Model")

    chart = visit.page.get_by_role("img", name="Mean error of predictions")
    for line in chart.locator(".line").all():
        assert line.get_attribute("d").count("M") == 2
    expect(chart.locator(".mark")).to_have_count(4)
    visit.page.get_by_text("The same as a table").click()
    rows = visit.table("Accuracy by hour").locator("tbody tr")
    expect(rows.nth(0).locator("td")).to_have_text(["7", "25.0 %", "-50.0 %", "12.5 %"])
    expect(rows.nth(1).locator("td").first).to_have_text("0")
    expect(rows.nth(1).get_by_text("not known")).to_have_count(3)


@pytest.mark.parametrize(("kinds", "leaves"), [(3, 3), (30, 24)])
def test_hierarchy_is_a_tree_of_as_many_leaves_as_can_be_read(visit, kinds, leaves):
    """Each kind joins all that joined before it; of more than can be read, the first to join are one leaf."""
    centre = {"size": kinds, "signals": {"cpu": {"mean": 0.5, "class": "moderate"}}}
    points = [{"key": f"kind-{i}", "x": i, "y": -i, "cluster": 0, "branch": 0} for i in range(kinds)]
    merges = [{"left": 0 if i == 0 else kinds + i - 1, "right": i + 1, "height": float(i + 1)} for i in range(kinds - 1)]
    visit.answers_with("clusters", {"clusters": [centre], "points": points, "choices": [], "merges": merges})

    visit.open("profiles", "Profiles")

    tree = visit.page.get_by_role("img", name="Profiles as a hierarchy")
    expect(tree.locator(".leaf")).to_have_count(leaves)
    expect(tree.locator(".branch")).to_have_count(leaves - 1)
    first = "kind-0" if kinds == leaves else f"kind-0 and {kinds - leaves} more"
    assert first in tree.locator(".leaf").first.text_content()


def test_clusters_differ_by_shape_not_by_colour_alone(visit):
    centre = {"size": 1, "signals": {"cpu": {"mean": 0.5, "class": "moderate"}}}
    points = [{"key": f"kind-{i}", "x": i, "y": -i, "cluster": i, "branch": 0} for i in range(3)]
    visit.answers_with("clusters", {"clusters": [centre] * 3, "points": points, "choices": [], "merges": []})

    visit.open("profiles", "Profiles")

    marks = visit.page.get_by_role("img", name="Profiles in the plane").locator(".mark").all()
    assert len({mark.get_attribute("d") for mark in marks}) == 3
    assert visit.row_heads("Clusters:") == ["0", "1", "2"]
    expect(visit.table("Clusters:").locator("tbody tr").first).to_contain_text("moderate 0.50")
    visit.page.get_by_text("The same as a table").click()
    assert visit.row_heads("Profiles in the plane") == ["kind-0", "kind-1", "kind-2"]


def test_decisions_come_with_their_explanations(visit):
    [answer] = visit.open("decisions", "Decisions", "decisions")
    assert answer["decisions"], "nothing was placed on this cluster"

    rows = visit.table("The newest decisions").locator("> tbody > tr").all()
    assert len(rows) == len(answer["decisions"])
    for row, decision in zip(rows, answer["decisions"]):
        shown = row.inner_text()
        assert decision["explanation"] in re.sub(r"\s+", " ", shown)
        assert decision.get("container", "another user's") in shown
    assert len(visit.row_heads("Decisions of this")) == len(answer["counts"])


def test_decisions_are_paged_by_buttons_and_the_back_button(visit):
    [first] = visit.open("decisions?limit=1", "Decisions", "decisions")
    if first["total"] < 2:
        pytest.skip("a single decision is one page")
    pages = visit.page.get_by_role("group", name="Pages")
    expect(pages.get_by_role("button", name="Previous")).to_be_disabled()

    with visit.page.expect_response(_of("decisions")) as second:
        pages.get_by_role("button", name="Next").click()
    expect(pages).to_contain_text("2 to 2 of")
    assert second.value.json()["offset"] == 1
    pages.get_by_role("button", name="Previous").click()
    expect(pages).to_contain_text("1 to 1 of")
    visit.page.go_back()
    expect(pages).to_contain_text("2 to 2 of")


def test_decisions_are_filtered_by_reason(visit):
    [everything] = visit.open("decisions", "Decisions", "decisions")
    reason = everything["decisions"][0]["reason"]

    visit.page.get_by_label("Reason").select_option(reason)
    with visit.page.expect_response(_of("decisions")) as answer:
        visit.page.get_by_role("button", name="Show").click()

    assert f"reason={reason}" in answer.value.url
    assert {decision["reason"] for decision in answer.value.json()["decisions"]} == {reason}


def test_shadow_report_tells_queues_applications_and_how_good_it_is(visit):
    [report] = visit.open("shadow", "Shadow report", "shadow-report")

    queues = list(report["queues"])
    if queues:
        assert visit.row_heads("Queues in shadow") == [*queues, "All"]
    if report["applications"]:
        applications = [row["application"] for row in report["applications"]]
        assert visit.row_heads("Applications that") == applications
    expect(visit.page.locator(".facts")).to_contain_text(f"{report['predictions']['checked']:,}")
    visit.page.get_by_label("Period").select_option("last day")
    with visit.page.expect_response(_of("shadow-report")) as lately:
        visit.page.get_by_role("button", name="Show").click()
    assert "from=" in lately.value.url


def test_pairs_name_both_sides(visit):
    [answer] = visit.open("pairs", "Who hurts whom", "pairs")

    rows = visit.table("Pairs of containers").locator("> tbody > tr").all()
    assert len(rows) == len(answer["pairs"])
    for row, pair in zip(rows, answer["pairs"]):
        shown = row.inner_text()
        for side in ("victim", "culprit"):
            nameless = "what is outside of all containers" if "outside" in pair[side] else "another user's"
            assert pair[side].get("container", nameless) in shown
        assert ("came" in shown) == ("met" in pair)
        assert "[object" not in shown
        if "met" in pair:
            assert row.locator("time").count() > 0


def test_who_waited_for_a_node_is_told_beside_who_got_it(visit):
    contenders = [
        {"known": True, "gain": -0.12, "gainAtMost": 0.08, "aboveUsual": -0.5, "ownSlowdown": 1.62},
        {"known": True, "gain": 0.3, "aboveUsual": 0.1, "ownSlowdown": 1.31},
        {"known": False},
    ]
    answer = visit.rest("decisions?limit=1")
    [decision] = answer["decisions"]
    offer = {"node": "n:1", "mode": "on", "reason": "BETTER", "saved": 0.42, "savedSeconds": 25.2, "winner": 1, "contenders": contenders}
    visit.answers_with("decisions", {**answer, "total": 1, "decisions": [{**decision, "offer": offer}]})

    visit.open("decisions", "Decisions")
    visit.page.locator("summary", has_text="Who waited for it").click()

    rows = visit.table("Who waited for n:1").last.locator("tbody tr").all_inner_texts()
    assert "-0.12" in rows[0].replace("\u2212", "-") and "would have without us" in rows[0] and "got it" not in rows[0]
    assert "0.30" in rows[1] and "got it" in rows[1]
    assert "not known" in rows[2]


# Getting about


def test_keyboard_alone_reaches_every_view(visit):
    visit.open("overview", "Overview")
    keyboard = visit.page.keyboard
    for route, (label, heading, _) in VIEWS.items():
        # From the heading back to the navigation; at first, from the top of the page on.
        step = "Shift+Tab" if focused(visit) == "H1" else "Tab"
        for _ in range(len(VIEWS) + 2):
            keyboard.press(step)
            if focused(visit) == label:
                break
        assert focused(visit) == label
        assert visit.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        keyboard.press("Enter")

        visit.shows(heading)
        if route != "overview":
            expect(visit.page.locator("h1")).to_be_focused()
        expect(visit.page.locator("nav [aria-current=page]")).to_have_text([label])
        assert heading in visit.page.title()


def focused(visit):
    """The text of the link that has the focus, the tag of anything else."""
    return visit.page.evaluate(
        "document.activeElement.tagName === 'A' ? document.activeElement.textContent : document.activeElement.tagName"
    )


def test_skip_link_is_first_and_leads_past_the_navigation(visit):
    visit.open("nodes", "Nodes")

    visit.page.keyboard.press("Tab")
    assert focused(visit) == "Skip to the content"
    visit.page.keyboard.press("Enter")

    expect(visit.page.locator("main")).to_be_focused()
    visit.shows("Nodes")


def test_heading_has_the_focus_after_a_link_was_followed(visit):
    node = measured_node(visit)
    visit.open(f"nodes?contains={quote(node, safe='')}", "Nodes")

    visit.page.get_by_role("link", name=node, exact=True).press("Enter")

    visit.shows(f"Node {node}")
    expect(visit.page.locator("h1")).to_be_focused()


def test_refresh_asks_again_and_keeps_the_focus(visit):
    visit.open("model", "Model")
    button = visit.page.get_by_role("button", name="Refresh")
    button.focus()

    with visit.page.expect_response(_of("model")):
        visit.page.keyboard.press("Enter")

    visit.shows("Model")
    expect(button).to_be_focused()
    expect(visit.page.get_by_role("status")).to_contain_text("Model, as of")


def test_address_without_a_view_is_the_overview_and_an_unknown_one_says_so(visit):
    visit.page.goto(f"{REST}/ui")
    visit.shows("Overview")

    visit.open("nonsense", "No such view")
    visit.page.get_by_role("link", name="Go to the overview").click()
    visit.shows("Overview")


# Layout and access


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_view_is_wider_than_the_window(browser, width, scheme):
    visit = Visit(browser, width, scheme)
    for view in every_view(visit):
        visit.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        wide, room = visit.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= room, f"{view} is {wide} pixels wide in a window of {room}"
    visit.close()
    assert visit.complaints == []
    assert visit.elsewhere == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_in_any_view(browser, scheme):
    visit = Visit(browser, scheme=scheme)
    for view in every_view(visit):
        visit.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        found = Axe().run(visit.page)
        assert found.violations_count == 0, f"{view}: {found.generate_report()}"
    visit.close()


def test_everything_that_can_be_used_has_a_name(visit):
    for view in every_view(visit):
        seen = visit.page.locator("body").aria_snapshot()
        nameless = re.findall(r"- (?:link|button|textbox|combobox|img|table)(?! \").*", seen)
        assert nameless == [], view


def test_light_and_dark_differ(browser):
    colours = set()
    for scheme in SCHEMES:
        visit = Visit(browser, scheme=scheme)
        visit.open("overview", "Overview")
        colours.add(visit.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        visit.close()
    assert len(colours) == 2


def test_nothing_moves_for_who_asked_for_no_motion(browser):
    durations = {}
    for wish in ("no-preference", "reduce"):
        context = browser.new_context(reduced_motion=wish)
        page = context.new_page()
        page.goto(f"{REST}/ui")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        page.evaluate("document.querySelector('main').setAttribute('aria-busy', 'true')")
        durations[wish] = page.evaluate("getComputedStyle(document.querySelector('main')).transitionDuration")
        context.close()
    assert durations["no-preference"] != "0s"
    assert durations["reduce"] == "0s"


# What comes from users, and what goes wrong


def test_no_view_has_script_or_style_within_it(visit):
    for view in every_view(visit):
        within = visit.page.locator("script:not([src]), style, [style]").count()
        assert within == 0, view


def test_markup_in_names_is_text(visit):
    averages = {"mean": 1, "deviation": 0, "fast": 1, "p95": 1, "peak": 1, "samples": 3}
    profile = {
        "key": MARKUP,
        "visible": True,
        "level": MARKUP,
        "state": "KNOWN",
        "samples": 3,
        "runTimeSeconds": averages,
        "signals": {"cpu": averages, MARKUP: averages},
        "polluted": False,
        "launches": {MARKUP: 3},
        "updated": "2026-01-01T00:00:00Z",
    }
    visit.answers_with("profiles", {"total": 1, "offset": 0, "limit": 100, "profiles": [profile]})
    visit.open("profiles", "Profiles")

    visit.page.get_by_role("link", name=MARKUP).click()

    visit.shows(f"Profile {MARKUP}")
    assert visit.page.locator("main img, main script").count() == 0
    assert visit.page.title() != "hurt"


def test_what_the_caller_may_not_view_is_another_users(visit):
    party = {"visible": False}
    pair = {
        "victim": party,
        "culprit": party,
        "node": "n1:1",
        "state": "RUNNING",
        "slowdown": 0.5,
        "seconds": 3,
        "confidence": {"checked": False},
    }
    visit.answers_with("pairs", {"total": 1, "offset": 0, "limit": 100, "pairs": [pair]})

    visit.open("pairs", "Who hurts whom")

    row = visit.table("Pairs of containers").locator("tbody tr")
    expect(row.get_by_text("another user's")).to_have_count(4)
    expect(row.get_by_role("link")).to_have_text(["n1:1"])


def test_who_talks_to_whom_names_what_is_no_container_in_words(visit):
    seen = {"visible": True, "container": "container_1_0001_01_000002", "application": "application_1_0001", "task": "mapreduce/sort"}
    talk = {"container": seen, "node": "n1:1", "sentPerSecond": 1_500_000, "receivedPerSecond": 0}
    talks = [
        {**talk, "peer": "CONTAINER", "other": {"visible": False}, "otherNode": "n2:1"},
        {**talk, "peer": "NODE", "otherNode": "n2:1"},
        {**talk, "peer": "OUTSIDE"},
    ]
    kinds = [{"kind": "mapreduce/sort", "other": MARKUP, "bytes": 2_000_000_000}]
    visit.answers_with(
        "traffic", {"total": 3, "offset": 0, "limit": 100, "traffic": talks, "nodesThatTell": 2, "kinds": kinds}
    )

    visit.open("traffic", "Who talks to whom")

    rows = visit.table("Who talks to whom").locator("> tbody > tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("another user's")
    expect(rows.nth(0)).to_contain_text("1.5 MB")
    expect(rows.nth(1)).to_contain_text("a daemon there")
    expect(rows.nth(2)).to_contain_text("outside of the cluster")
    kind = visit.table("Kinds of task").locator("> tbody > tr")
    expect(kind).to_contain_text(MARKUP)
    expect(kind).to_contain_text("2.0 GB")


def test_sizes_show_settings_or_the_reason_and_nodes_what_is_needed(visit):
    size = {"memoryMb": 1536, "riskAtMost": 0.01}
    known = {
        "key": MARKUP, "visible": True, "level": "name", "tasks": 99, "exhausted": 0, "given": {"memoryMb": 4096, "vcores": 2},
        "used": {"cores": 0.5, "peakMb": 1024, "p99Mb": 1000, "workingSetMb": 512}, "wasted": {"memoryHours": 75, "coreHours": 50},
        "advised": size, "minimumWaste": {**size, "memoryMb": 1024}, "maximumThroughput": size, "savedShare": 0.625,
        "settings": {"mapreduce.map.memory.mb": "1536"},
    }  # fmt: skip
    seldom = {
        "key": "k", "visible": False, "level": "tag", "tasks": 2, "exhausted": 0, "reason": "FEW_TASKS", "why": "fewer than 20 tasks say too little",
    }  # fmt: skip
    visit.answers_with("advice/kinds", {"total": 2, "offset": 0, "limit": 100, "kinds": [known, seldom]})

    nothing = {"memoryMb": 0, "vcores": 0}
    tasks = {"tasks": 5, "ofUnknownLength": 1}
    visit.answers_with(
        "advice/nodes",
        {
            "nodes": 12, "preparationSeconds": 157, "action": "GROW", "change": 3, "needed": 15, "againSeconds": 157,
            "shortageNow": nothing, "shortageThen": {**nothing, "memoryMb": 81_920}, "idleThen": nothing, "running": tasks,
            "waiting": {**tasks, "tooLarge": 0}, "byUse": {"use": 0.98, "desiredUse": 0.8, "nodes": 14},
            "interference": {"nodes": 1.25, "containers": 4},
        },
    )  # fmt: skip

    visit.open("advice", "Sizes and nodes")

    said = visit.page.locator("dl.facts")
    expect(said).to_contain_text("Needed in 157 s15")
    expect(said).to_contain_text("81,920")

    rows = visit.table("Kinds of task").locator("> tbody > tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text(MARKUP)
    expect(rows.nth(0)).to_contain_text("mapreduce.map.memory.mb=1536")
    expect(rows.nth(1)).to_contain_text("for administrators")
    expect(rows.nth(1)).to_contain_text("fewer than 20 tasks")


def node_sizes(*nodes, mode="off", **others):
    """What `capacity` answers of these nodes."""
    size = {"memoryMb": 0, "vcores": 0}
    return {
        "total": len(nodes), "offset": 0, "limit": 100, "nodes": nodes, "mode": mode, "configuredMode": mode, "labelModes": {},
        "all": {"nodes": len(nodes), "grown": 0, "configured": size, "usable": size, "used": size, "wanted": size},
        "gainSeconds": 0, "notApplied": 0, "evictions": 0, "killed": 0, "lostShare": 0, "reasons": {}, **others,
    }  # fmt: skip


def node_size(name, configured, usable, used, **others):
    sizes = {"configured": configured, "usable": usable, "used": used}
    return {"node": name, **{size: {"memoryMb": mb, "vcores": mb // 1024} for size, mb in sizes.items()}, **others}


GROWN = node_size(
    "n1:1", 8192, 9216, 9216, wanted={"memoryMb": 10_240, "vcores": 10}, action="GROW", reason="GAIN", gainAtLeast=0.5,
    gainAtMost=0.75, expectedMemoryMb=4096, memoryLimitMb=7782,
)  # fmt: skip


def test_node_sizes_show_what_is_configured_usable_and_used_and_what_the_governor_says(visit):
    left = node_size("n2:1", 8192, 8192, 4096, standsBack="NOT_RUNNING")
    visit.answers_with("capacity", node_sizes(GROWN, left, mode="on", labelModes={"gpu": "off"}, evictions=3))

    visit.open("sizes", "Node sizes")

    said = visit.page.locator("dl.facts")
    expect(said).to_contain_text("Modeon")
    expect(said).to_contain_text("gpu: off")
    expect(said).to_contain_text("had to go3")
    rows = visit.table("Nodes, what they have").locator("> tbody > tr")
    expect(rows).to_have_count(2)
    for text in ("8,192", "9,216", "10,240", "8, 9, 9", "grow: gain", "0.50"):
        expect(rows.nth(0)).to_contain_text(text)
    expect(rows.nth(0).get_by_role("img")).to_have_attribute("aria-label", "9216 MB used, 8192 MB configured, 9216 MB usable")
    used, configured = (rows.nth(0).locator(f".{part}").bounding_box() for part in ("used", "configured"))
    assert used["x"] + used["width"] > configured["x"] + 1, "what is used reaches beyond what is configured"
    expect(rows.nth(1)).to_contain_text("not running")
    expect(rows.nth(1)).to_contain_text("it says nothing")


def test_node_sizes_in_shadow_are_those_of_the_configuration_and_say_what_would_be_done(visit):
    told = {**GROWN, "usable": GROWN["configured"], "used": GROWN["configured"], "standsBack": "SHADOW"}
    visit.answers_with("capacity", node_sizes(told, mode="shadow", gainSeconds=12.5))

    visit.open("sizes", "Node sizes")

    expect(visit.page.locator("dl.facts")).to_contain_text("12.5 s")
    row = visit.table("Nodes, what they have").locator("> tbody > tr")
    expect(row).to_contain_text("grow: gain")
    expect(row).to_contain_text("shadow")


def test_node_shows_its_size_and_what_the_governor_says(visit):
    node = measured_node(visit)
    visit.answers_with("capacity", node_sizes({**GROWN, "node": node + "0"}, {**GROWN, "node": node, "reason": "MOST"}))

    visit.open(f"nodes/{quote(node, safe='')}", f"Node {node}")

    said = visit.page.locator("dl.facts").first
    expect(said).to_contain_text("8192, 9216, 9216")
    expect(said).to_contain_text("grow: most")


@pytest.mark.parametrize("route", [route for route in VIEWS if route != "overview"])
def test_empty_view_says_why(visit, route):
    _, heading, paths = VIEWS[route]
    none = {"total": 0, "offset": 0, "limit": 100}
    difference = {"placements": 0, "differing": 0, "savedSeconds": 0}
    correction = {"exponentOfPrior": 1, "exponentOfModel": 1, "usesModel": False}
    moments = dict.fromkeys(("from", "to", "keptSince"), "2026-01-01T00:00:00Z")
    answers = {
        "nodes": {**none, "nodes": []},
        "capacity": node_sizes(),
        "containers": {**none, "containers": []},
        "profiles": {**none, "profiles": []},
        "clusters": {"clusters": [], "points": [], "choices": [], "merges": []},
        "decisions": {**none, "counts": {}, "decisions": []},
        "pairs": {**none, "pairs": []},
        "traffic": {**none, "traffic": [], "nodesThatTell": 0, "kinds": []},
        "advice/kinds": {**none, "kinds": []},
        "advice/nodes": {"nodes": 0, "preparationSeconds": 300, "reason": "NO_NODES", "why": "no node runs, so that nobody knows what one has"},
        "shadow-report": {
            **moments, "expected": 1, "all": difference, "queues": {}, "applications": [], "predictions": {"checked": 0},
        },
        "model": {
            "predictor": "prior", "champion": "none", "liveErrors": {}, "reference": {}, "observed": 0, "rows": 0, "heldOut": 0,
            "drifts": 0, "versions": [], "rounds": [], "history": [], "cluster": correction, "kinds": {},
        },
    }  # fmt: skip
    for path in paths:
        visit.answers_with(path, answers[path])

    visit.open(route, heading)

    reasons = visit.page.locator(".empty").all_inner_texts()
    assert reasons
    assert all(len(reason.split()) > 4 and reason.endswith(".") for reason in reasons), reasons


@pytest.mark.parametrize(
    ("status", "sentence", "advice"),
    [
        (401, "You are not signed in", "kinit"),
        (403, "You may not view it", "administrator"),
        (404, "You may not view it", "forgotten"),
        (503, "You may not view it", "yarn.resourcemanager.scheduler.class"),
    ],
)
def test_refusal_says_what_is_wrong_and_what_to_do(refused, status, sentence, advice):
    refused.answers_with("model", {"error": "you may not view it"}, status)

    refused.page.goto(f"{REST}/ui#/model")

    alert = refused.page.get_by_role("alert")
    expect(alert).to_contain_text(sentence)
    expect(alert).to_contain_text(advice)
    refused.shows("Model")


def test_lost_connection_says_so_and_can_be_tried_again(refused):
    refused.page.route(_matching("model"), lambda route: route.abort())
    refused.page.goto(f"{REST}/ui#/model")
    expect(refused.page.get_by_role("alert")).to_contain_text("does not answer")

    refused.page.unroute_all()
    refused.page.get_by_role("button", name="Try again").click()

    expect(refused.page.get_by_role("alert")).to_have_count(0)
    expect(refused.page.get_by_role("heading", name="Versions")).to_be_visible()


def test_page_to_sign_in_is_not_taken_for_an_answer(visit):
    visit.page.route(
        _matching("model"), lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Sign in</h1>")
    )

    visit.page.goto(f"{REST}/ui#/model")

    expect(visit.page.get_by_role("alert")).to_contain_text("not the answer of the ResourceManager")


# Pictures for the documentation


@pytest.mark.skipif(not SCREENSHOTS, reason="INTERFERENCE_SCREENSHOTS is not set")
@pytest.mark.parametrize(
    ("name", "width", "scheme", "view"),
    [
        ("overview-light", 1280, "light", "overview"),
        ("overview-dark", 1280, "dark", "overview"),
        ("container", 1280, "light", "container"),
        ("narrow", 400, "light", "overview"),
    ],
)
def test_screenshots(browser, name, width, scheme, view):
    visit = Visit(browser, width, scheme, height=1100)
    if view == "container":
        container = explained_container(visit)
        visit.open(f"containers/{container}", f"Container {container}")
    else:
        visit.open(view, VIEWS[view][1])
    Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
    visit.page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")
    visit.close()
