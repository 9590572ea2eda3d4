package org.interference.yarn.learn.cluster;

/**
 * A clustering that was bettered by moving single points, as Hartigan's K-means does (Clustering Algorithms, 1975, chapter 4), until no move betters
 * it: a point at squared distance {@code d_a} from the centre of its own {@code n_a} and {@code d_b} from that of {@code n_b} others moves
 * where {@code n_b / (n_b + 1) * d_b < n_a / (n_a - 1) * d_a}, which is by how much the sum of squared distances changes. Lloyd's iteration,
 * which is Smile's, stops earlier: it leaves a point with the nearest centre and forgets that the centre moves with it.
 */
final class SettledClustering {
    /** Each round betters the sum, so that it ends by itself; how soon is not known. */
    private static final int MOST_ROUNDS = 100;

    private static final double ROUNDING = 1e-12;

    private final double[][] points;
    private final int[] labels;
    private final double[][] centres;
    private final int[] sizes;
    private final double within;

    /** @param labels of the points to begin with, from 0 to {@code clusters - 1} */
    SettledClustering(double[][] points, int[] labels, int clusters) {
        this.points = points;
        this.labels = labels.clone();
        this.centres = new double[clusters][points[0].length];
        this.sizes = new int[clusters];
        for (int i = 0; i < points.length; i++) {
            add(i, labels[i]);
        }
        this.within = settle();
    }

    /** Returns the cluster of each point. */
    int[] labels() {
        return labels.clone();
    }

    /** Returns the sum of the squared distances of all points to their centres. */
    double within() {
        return within;
    }

    private double settle() {
        boolean moved = true;
        for (int round = 0; moved && round < MOST_ROUNDS; round++) {
            moved = false;
            for (int i = 0; i < points.length; i++) {
                moved |= move(i);
            }
        }
        double sum = 0;
        for (int i = 0; i < points.length; i++) {
            sum += squaredDistance(i, labels[i]);
        }
        return sum;
    }

    private boolean move(int point) {
        int own = labels[point];
        if (sizes[own] < 2) {
            return false;
        }
        int best = own;
        double least = squaredDistance(point, own) * sizes[own] / (sizes[own] - 1) - ROUNDING;
        for (int other = 0; other < sizes.length; other++) {
            double added = squaredDistance(point, other) * sizes[other] / (sizes[other] + 1);
            if (other != own && added < least) {
                best = other;
                least = added;
            }
        }
        if (best == own) {
            return false;
        }
        sizes[own]--;
        shift(point, own, -1);
        add(point, best);
        labels[point] = best;
        return true;
    }

    private void add(int point, int cluster) {
        sizes[cluster]++;
        shift(point, cluster, 1);
    }

    /** Moves a centre towards a point that its cluster has now, or away from one that it has lost. */
    private void shift(int point, int cluster, int direction) {
        for (int i = 0; i < centres[cluster].length; i++) {
            centres[cluster][i] += direction * (points[point][i] - centres[cluster][i]) / sizes[cluster];
        }
    }

    private double squaredDistance(int point, int cluster) {
        double sum = 0;
        for (int i = 0; i < centres[cluster].length; i++) {
            double difference = points[point][i] - centres[cluster][i];
            sum += difference * difference;
        }
        return sum;
    }
}
