package org.interference.yarn.nm.folders;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The file {@value #NAME} in a container's work folder, into which its application may write how many operations it has done so far: one
 * decimal number, of {@value #LONGEST} bytes at most with what is around it.
 */
final class ProgressFile {
    static final String NAME = "ifc-progress";
    static final int LONGEST = 32;

    static final String NONE = "no " + NAME + " in its work folders that the NodeManager's user sees";
    static final String NOT_ITS_OWN = NAME + " is no regular file of the user whom its work folder belongs to";
    static final String UNREADABLE = "the NodeManager's user may not read " + NAME;
    static final String NO_NUMBER = NAME + " is no number from 0 to 10^15 in at most " + LONGEST + " bytes";

    /** Up to here each whole number is one of the figures that a count has. */
    private static final double LARGEST = 1e15;

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:\\.[0-9]+)?");

    private ProgressFile() {}

    /**
     * Returns the number; empty while the file is empty or is being replaced.
     *
     * @throws UntoldException if there is no such file, or it is not what it should be
     */
    static OptionalDouble read(List<WorkFolder> folders) throws UntoldException {
        for (WorkFolder folder : folders) {
            Path file = folder.path().resolve(NAME);
            if (file.toFile().exists()) {
                return read(folder, file);
            }
        }
        throw new UntoldException(NONE);
    }

    private static OptionalDouble read(WorkFolder folder, Path file) throws UntoldException {
        try {
            if (!folder.isPlain() || !isOwn(folder.path(), file)) {
                throw new UntoldException(NOT_ITS_OWN);
            }
            return number(text(file));
        } catch (UntoldException e) {
            throw e;
        } catch (NoSuchFileException e) {
            return OptionalDouble.empty();
        } catch (IOException e) {
            throw new UntoldException(UNREADABLE);
        }
    }

    private static boolean isOwn(Path folder, Path file) throws IOException {
        Map<String, Object> of = Files.readAttributes(file, "unix:uid,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        return Boolean.TRUE.equals(of.get("isRegularFile"))
                && of.get("uid").equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    }

    /** Returns one byte more than there may be, if there is one. */
    private static String text(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST + 1);
        try (SeekableByteChannel opened =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            int count = 0;
            while (count >= 0 && bytes.hasRemaining()) {
                count = opened.read(bytes);
            }
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    }

    private static OptionalDouble number(String text) throws UntoldException {
        String number = text.strip();
        if (text.length() <= LONGEST && number.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (text.length() > LONGEST || !NUMBER.matcher(number).matches() || Double.parseDouble(number) > LARGEST) {
            throw new UntoldException(NO_NUMBER);
        }
        return OptionalDouble.of(Double.parseDouble(number));
    }
}
