package org.interference.yarn.sim.engine;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.NullRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.webproxy.ProxyCA;

/** A ResourceManager in which nothing happens unless the simulation makes it happen. Not thread-safe. */
public final class HandDrivenResourceManager extends MockRM {
    /** Part of every application id, whose order and hash must not depend on when the simulation runs. */
    public static final long CLUSTER_TIMESTAMP = 1_767_225_600_000L;

    private static final ProxyCA CERTIFICATE = certificate();

    public HandDrivenResourceManager(SchedulerConfiguration conf) {
        super(conf, new InlineStateStore());
        getRMContext().getStateStore().init(conf);
        getRMContext().getStateStore().setRMDispatcher(dispatcher());
        getRMContext().getStateStore().setResourceManager(this);
        useTheOneCertificate();
    }

    /** Making a key pair takes longer than many a run; what it certifies is never asked for. */
    private void useTheOneCertificate() {
        try {
            RMStateStore.RMState state = new RMStateStore.RMState();
            state.getProxyCAState().setCaCert(CERTIFICATE.getCaCert());
            state.getProxyCAState().setCaPrivateKey(CERTIFICATE.getCaKeyPair().getPrivate());
            getRMContext().getProxyCAManager().recover(state);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the proxy's certificate cannot be used again", e);
        }
    }

    private static ProxyCA certificate() {
        try {
            ProxyCA certificate = new ProxyCA();
            certificate.init();
            return certificate;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the proxy's certificate cannot be made", e);
        }
    }

    /** Stores nothing, at once. */
    private static final class InlineStateStore extends NullRMStateStore {
        @Override
        @SuppressWarnings("rawtypes") // As the parent declares it.
        protected EventHandler getRMStateStoreEventHandler() {
            return rmStateStoreEventHandler;
        }
    }

    public static void fixIdentities() {
        ResourceManager.setClusterTimeStamp(CLUSTER_TIMESTAMP);
    }

    public HandDrivenDispatcher dispatcher() {
        return (HandDrivenDispatcher) getRMContext().getDispatcher();
    }

    @Override
    public void drainEvents() {
        dispatcher().drain();
    }

    /** As MockRM's, without a server; but that one never stops its timer, which holds on to the whole ResourceManager. */
    @Override
    protected ResourceTrackerService createResourceTrackerService() {
        getRMContext().getContainerTokenSecretManager().rollMasterKey();
        getRMContext().getNMTokenSecretManager().rollMasterKey();
        return new ResourceTrackerService(
                getRMContext(),
                nodesListManager,
                nmLivelinessMonitor,
                getRMContext().getContainerTokenSecretManager(),
                getRMContext().getNMTokenSecretManager()) {
            @Override
            protected void serviceStart() {
                // Nobody calls from outside.
            }
        };
    }

    @Override
    protected Dispatcher createDispatcher() {
        return new HandDrivenDispatcher();
    }

    @Override
    protected ResourceScheduler createScheduler() {
        ResourceScheduler scheduler = ((SchedulerConfiguration) getConfig()).scheduler();
        if (scheduler instanceof Configurable configurable) {
            configurable.setConf(getConfig());
        }
        return scheduler;
    }
}
