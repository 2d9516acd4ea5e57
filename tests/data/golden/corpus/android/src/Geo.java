package harbour.geo;

/** Distances on a ball of the size of the earth. */
public final class Geo {
    private static final double RADIUS_KM = 6371.0088;

    private Geo() {}

    /** Great-circle distance by the haversine formula. */
    public static double distance(double lat1, double lon1, double lat2, double lon2) {
        double dLat = Math.toRadians(lat2 - lat1);
        double dLon = Math.toRadians(lon2 - lon1);
        double a = Math.pow(Math.sin(dLat / 2), 2)
            + Math.cos(Math.toRadians(lat1)) * Math.cos(Math.toRadians(lat2))
            * Math.pow(Math.sin(dLon / 2), 2);
        return 2 * RADIUS_KM * Math.asin(Math.sqrt(a));
    }

    /** Which way to steer at the start, in degrees from north. */
    public static double bearing(double lat1, double lon1, double lat2, double lon2) {
        double y = Math.sin(Math.toRadians(lon2 - lon1)) * Math.cos(Math.toRadians(lat2));
        double x = Math.cos(Math.toRadians(lat1)) * Math.sin(Math.toRadians(lat2))
            - Math.sin(Math.toRadians(lat1)) * Math.cos(Math.toRadians(lat2))
            * Math.cos(Math.toRadians(lon2 - lon1));
        return (Math.toDegrees(Math.atan2(y, x)) + 360) % 360;
    }

    public static boolean inside(double[][] harbour, double lat, double lon) {
        boolean within = false;
        for (int i = 0, j = harbour.length - 1; i < harbour.length; j = i++) {
            boolean crosses = (harbour[i][0] > lat) != (harbour[j][0] > lat);
            double edge = (harbour[j][1] - harbour[i][1]) * (lat - harbour[i][0])
                / (harbour[j][0] - harbour[i][0]) + harbour[i][1];
            if (crosses && lon < edge) {
                within = !within;
            }
        }
        return within;
    }
}
