package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final String BOOT = "b6 1";
    private static final Undo MADE = new Undo.Made(Path.of("/cg/a b"), Path.of("/cg"));
    private static final Undo CHANGED = new Undo.Changed(Path.of("/cg/c/io.max"), "8:0", "8:0 rbps=max\nwbps=%20 \t");

    @TempDir
    private Path directory;

    @Test
    void whatIsOpenIsReadAgain() throws IOException {
        Journal killed = journal();
        killed.add(MADE);
        killed.add(CHANGED);

        assertThat(journal().entries()).containsExactly(MADE, CHANGED);
    }

    @Test
    void whatIsUndoneIsNotReadAgain() throws IOException {
        Journal killed = journal();
        killed.add(MADE);
        killed.add(CHANGED);
        killed.undone(MADE);

        assertThat(journal().entries()).containsExactly(CHANGED);
    }

    @Test
    void theFirstValueOfAFileIsTheOneToRestore() throws IOException {
        Journal journal = journal();
        journal.add(new Undo.Changed(Path.of("/f"), "", "first"));
        journal.add(new Undo.Changed(Path.of("/f"), "", "second"));

        assertThat(journal.entries()).containsExactly(new Undo.Changed(Path.of("/f"), "", "first"));
    }

    @Test
    void eachPartOfAFileIsUndoneOnItsOwn() throws IOException {
        Undo one = new Undo.Changed(Path.of("/f"), "8:0", "8:0 0");
        Undo other = new Undo.Changed(Path.of("/f"), "8:16", "8:16 0");
        Journal killed = journal();
        killed.add(one);
        killed.add(other);
        killed.undone(one);

        assertThat(journal().entries()).containsExactly(other);
    }

    @Test
    void aJournalWithNothingOpenIsEmpty() throws IOException {
        Journal journal = journal();
        journal.add(MADE);
        journal.undone(MADE);

        assertThat(Files.size(file())).isZero();
    }

    /** After a reboot the same path may be another's, and what was written there is his. */
    @Test
    void whatWasDoneBeforeAnotherBootIsNotUndone() throws IOException {
        journal().add(CHANGED);

        Journal rebooted = Journal.open(file(), "another boot");

        assertThat(rebooted.entries()).isEmpty();
        assertThat(journal().entries()).isEmpty();
    }

    /** As the release wrote it that could not give cores back: what it left confined is undone by the one that can. */
    @Test
    void aJournalThatNotesNoBootIsOfThisOneOnce() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), """
                ca488c81 MADE %2Fcg%2Fa+b  %2Fcg
                b9d3e6e0 CHANGED %2Fcg%2Fx%2Fcpuset.cpus  %0A
                dcf25be9 MADE %2Fcg%2Fc  %2Fcg
                ad9491a3 UNDONE %2Fcg%2Fc \s
                """);

        Journal upgraded = journal();

        assertThat(upgraded.entries()).containsExactly(MADE, new Undo.Changed(Path.of("/cg/x/cpuset.cpus"), "", "\n"));
        assertThat(Journal.open(file(), "another boot").entries()).isEmpty();
    }

    /** That release noted each controller that it enabled; others have come to need it since. */
    @Test
    void anOldJournalTakesNoControllerFromOthers() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "2824319a CHANGED %2Fcg%2Fcgroup.subtree_control cpuset -cpuset\n");

        assertThat(journal().entries()).isEmpty();
    }

    @Test
    void whatAJournalElsewhereSaysIsTakenOver() throws IOException {
        Path elsewhere = directory.resolve("elsewhere");
        Journal.open(elsewhere, BOOT).add(CHANGED);
        Journal journal = journal();
        journal.add(MADE);

        journal.adopt(elsewhere);

        assertThat(journal.entries()).containsExactly(MADE, CHANGED);
        assertThat(journal().entries()).containsExactly(MADE, CHANGED);
        assertThat(Files.exists(elsewhere)).isFalse();
    }

    /** Two settings may name one directory, also by a link. */
    @Test
    void aJournalDoesNotTakeOverItself() throws IOException {
        Journal journal = journal();
        journal.add(MADE);
        Path link = Files.createSymbolicLink(directory.resolve("link"), file().getParent());

        journal.adopt(link.resolve(file().getFileName()));

        assertThat(journal().entries()).containsExactly(MADE);
    }

    /** Truncating in place would lose every line of who is killed before the new ones are written. */
    @Test
    void whatIsWrittenAnewNeverStandsInTheOldFile() throws IOException {
        journal().add(CHANGED);
        Path old = Files.createLink(directory.resolve("old"), file());

        Journal next = journal();
        next.add(MADE);
        next.undone(CHANGED);
        next.undone(MADE);

        assertThat(Journal.read(Files.readString(old), BOOT)).containsExactly(CHANGED);
        assertThat(Files.size(file())).isZero();
    }

    @Test
    void itDoesNotGrowWithoutBound() throws IOException {
        Journal journal = journal();
        journal.add(MADE);

        for (int i = 0; i < 10_000; i++) {
            journal.add(CHANGED);
            journal.undone(CHANGED);
        }

        assertThat(Files.size(file())).isLessThan(200_000);
        assertThat(journal().entries()).containsExactly(MADE);
    }

    @Test
    void aTornLastLineIsLeftOutAndTheOthersHold() throws IOException {
        Journal killed = journal();
        killed.add(MADE);
        killed.add(CHANGED);
        byte[] whole = Files.readAllBytes(file());
        int first = new String(whole, StandardCharsets.UTF_8).indexOf('\n', 1);

        for (int length = first + 1; length < whole.length - 1; length++) {
            String torn = new String(whole, 0, length, StandardCharsets.UTF_8);
            assertThat(Journal.read(torn, BOOT)).as("torn at %d", length).containsExactly(MADE);
        }
    }

    /** Where the disk was full for a moment. */
    @Test
    void aLineThatWasWrittenInPartTakesNoneAlong() throws IOException {
        Journal journal = journal();
        journal.add(MADE);
        Files.writeString(file(), JournalLine.write(BOOT, CHANGED).substring(0, 20), StandardOpenOption.APPEND);
        Undo later = new Undo.Made(Path.of("/cg/later"), Path.of("/cg"));
        journal.add(later);

        assertThat(journal().entries()).containsExactly(MADE, later);
    }

    /** As in a directory that is full, or read-only. */
    @Test
    void whatIsToBeUndoneIsReadWhereNothingCanBeWritten() throws IOException {
        journal().add(MADE);
        Files.createDirectories(file().resolveSibling(file().getFileName() + ".new"));

        assertThat(journal().entries()).containsExactly(MADE);
    }

    /** A damaged line may be lost; it never becomes another one, and reading never throws. */
    @Test
    void damageInventsNothing() {
        List<Undo> written = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            Undo undo = i % 2 == 0
                    ? new Undo.Made(Path.of("/cg/" + i), Path.of("/cg"))
                    : new Undo.Changed(Path.of("/cg/" + i + "/cpuset.cpus"), "", "0-" + i);
            written.add(undo);
            text.append(JournalLine.write(BOOT, undo));
        }
        byte[] whole = text.toString().getBytes(StandardCharsets.UTF_8);
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            int places = 1 + random.nextInt(8);
            for (int i = 0; i < places; i++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(damaged.length + 1);

            List<Undo> read = Journal.read(new String(damaged, 0, length, StandardCharsets.UTF_8), BOOT);

            assertThat(read).as("seed %d", seed).isSubsetOf(written);
        }
    }

    private Journal journal() throws IOException {
        return Journal.open(file(), BOOT);
    }

    private Path file() {
        return directory.resolve("below/journal");
    }
}
