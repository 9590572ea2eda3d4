package org.interference.yarn.profile.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.interference.yarn.profile.TaskProfile;

/** Whatever document of profiles an administrator brings, it is refused as a whole, or, once written, is read and written the same. */
public final class ProfileDocumentFuzz {
    private ProfileDocumentFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
        List<TaskProfile> profiles;
        try {
            profiles = ProfileDocument.read(bytes);
        } catch (IOException e) {
            return;
        }
        byte[] written = written(profiles);
        if (!Arrays.equals(written(ProfileDocument.read(written)), written)) {
            throw new AssertionError("what is written is read otherwise");
        }
    }

    private static byte[] written(List<TaskProfile> profiles) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProfileDocument.write(profiles, out);
        return out.toByteArray();
    }
}
