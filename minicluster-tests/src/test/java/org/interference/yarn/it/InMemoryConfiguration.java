package org.interference.yarn.it;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The settings of a test as the yarn-site.xml that a ResourceManager reads again whenever it becomes active. */
public final class InMemoryConfiguration extends LocalConfigurationProvider {
    private byte[] site;

    @Override
    public void initInternal(Configuration settings) throws Exception {
        super.initInternal(settings);
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        settings.writeXml(xml);
        site = xml.toByteArray();
    }

    @Override
    public InputStream getConfigurationInputStream(Configuration settings, String file)
            throws YarnException, IOException {
        return file.equals(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE)
                ? new ByteArrayInputStream(site)
                : super.getConfigurationInputStream(settings, file);
    }
}
