#pragma once
// Well-known text of systems of the EPSG dataset, written by pyproj 3.7.2 (PROJ 9.5.1):
// CRS(code).to_wkt(version).
namespace scanloupe::test {

/// State Plane, California zone 5: EPSG:2229, WKT1_GDAL.
inline constexpr char kStatePlane[] =
    R"wkt(PROJCS["NAD83 / California zone 5 (ftUS)",GEOGCS["NAD83",DATUM["North_American_Datum_1983",)wkt"
    R"wkt(SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6269"]],)wkt"
    R"wkt(PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,)wkt"
    R"wkt(AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4269"]],PROJECTION["Lambert_Conformal_Conic_2SP"],)wkt"
    R"wkt(PARAMETER["latitude_of_origin",33.5],PARAMETER["central_meridian",-118],)wkt"
    R"wkt(PARAMETER["standard_parallel_1",35.4666666666667],PARAMETER["standard_parallel_2",)wkt"
    R"wkt(34.0333333333333],PARAMETER["false_easting",6561666.667],PARAMETER["false_northing",)wkt"
    R"wkt(1640416.667],UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]],AXIS["Easting",)wkt"
    R"wkt(EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","2229"]])wkt";
/// The same as ArcGIS writes it: EPSG:2229, WKT1_ESRI.
inline constexpr char kStatePlaneOfEsri[] =
    R"wkt(PROJCS["NAD_1983_StatePlane_California_V_FIPS_0405_Feet",GEOGCS["GCS_North_American_1983",)wkt"
    R"wkt(DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",)wkt"
    R"wkt(0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],)wkt"
    R"wkt(PARAMETER["False_Easting",6561666.667],PARAMETER["False_Northing",1640416.667],)wkt"
    R"wkt(PARAMETER["Central_Meridian",-118.0],PARAMETER["Standard_Parallel_1",35.4666666666667],)wkt"
    R"wkt(PARAMETER["Standard_Parallel_2",34.0333333333333],PARAMETER["Latitude_Of_Origin",33.5],)wkt"
    R"wkt(UNIT["US survey foot",0.304800609601219]])wkt";
/// Gauss-Krueger, whose first axis is to the north: EPSG:31467, WKT2_2015.
inline constexpr char kGaussKruger[] =
    R"wkt(PROJCRS["DHDN / 3-degree Gauss-Kruger zone 3",BASEGEODCRS["DHDN",)wkt"
    R"wkt(DATUM["Deutsches Hauptdreiecksnetz",ELLIPSOID["Bessel 1841",6377397.155,299.1528128,)wkt"
    R"wkt(LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],)wkt"
    R"wkt(CONVERSION["3-degree Gauss-Kruger zone 3",METHOD["Transverse Mercator",ID["EPSG",9807]],)wkt"
    R"wkt(PARAMETER["Latitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",)wkt"
    R"wkt(8801]],PARAMETER["Longitude of natural origin",9,ANGLEUNIT["degree",0.0174532925199433],)wkt"
    R"wkt(ID["EPSG",8802]],PARAMETER["Scale factor at natural origin",1,SCALEUNIT["unity",1],ID["EPSG",)wkt"
    R"wkt(8805]],PARAMETER["False easting",3500000,LENGTHUNIT["metre",1],ID["EPSG",8806]],)wkt"
    R"wkt(PARAMETER["False northing",0,LENGTHUNIT["metre",1],ID["EPSG",8807]]],CS[Cartesian,2],)wkt"
    R"wkt(AXIS["northing (X)",north,ORDER[1],LENGTHUNIT["metre",1]],AXIS["easting (Y)",east,ORDER[2],)wkt"
    R"wkt(LENGTHUNIT["metre",1]],SCOPE["Cadastre, engineering survey, topographic mapping."],)wkt"
    R"wkt(AREA["Germany - former West Germany onshore between 7°30'E and 10°30'E - states of Baden-Wurtemb)wkt"
    R"wkt(erg, Bayern, Bremen, Hamberg, Hessen, Niedersachsen, Nordrhein-Westfalen, Rhineland-Pfalz,)wkt"
    R"wkt( Schleswig-Holstein."],BBOX[47.27,7.5,55.09,10.51],ID["EPSG",31467]])wkt";
/// UTM with heights, each part with its code: EPSG:25832+7837, WKT1_GDAL.
inline constexpr char kUtmWithHeights[] =
    R"wkt(COMPD_CS["ETRS89 / UTM zone 32N + DHHN2016 height",PROJCS["ETRS89 / UTM zone 32N",)wkt"
    R"wkt(GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,)wkt"
    R"wkt(298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6258"]],PRIMEM["Greenwich",0,)wkt"
    R"wkt(AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],)wkt"
    R"wkt(AUTHORITY["EPSG","4258"]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],)wkt"
    R"wkt(PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",)wkt"
    R"wkt(500000],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",)wkt"
    R"wkt(EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","25832"]],VERT_CS["DHHN2016 height",)wkt"
    R"wkt(VERT_DATUM["Deutsches Haupthoehennetz 2016",2005,AUTHORITY["EPSG","1170"]],UNIT["metre",1,)wkt"
    R"wkt(AUTHORITY["EPSG","9001"]],AXIS["Gravity-related height",UP],AUTHORITY["EPSG","7837"]]])wkt";
/// Heights alone: EPSG:6360, WKT1_GDAL.
inline constexpr char kHeightsInFeet[] =
    R"wkt(VERT_CS["NAVD88 height (ftUS)",VERT_DATUM["North American Vertical Datum 1988",2005,)wkt"
    R"wkt(AUTHORITY["EPSG","5103"]],UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]],)wkt"
    R"wkt(AXIS["Gravity-related height",UP],AUTHORITY["EPSG","6360"]])wkt";
/// Longitude, latitude and ellipsoidal heights: EPSG:4979, WKT2_2019.
inline constexpr char kGeographic3d[] =
    R"wkt(GEOGCRS["WGS 84",ENSEMBLE["World Geodetic System 1984 ensemble",)wkt"
    R"wkt(MEMBER["World Geodetic System 1984 (Transit)"],MEMBER["World Geodetic System 1984 (G730)"],)wkt"
    R"wkt(MEMBER["World Geodetic System 1984 (G873)"],MEMBER["World Geodetic System 1984 (G1150)"],)wkt"
    R"wkt(MEMBER["World Geodetic System 1984 (G1674)"],MEMBER["World Geodetic System 1984 (G1762)"],)wkt"
    R"wkt(MEMBER["World Geodetic System 1984 (G2139)"],MEMBER["World Geodetic System 1984 (G2296)"],)wkt"
    R"wkt(ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]],ENSEMBLEACCURACY[2.0]],)wkt"
    R"wkt(PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],CS[ellipsoidal,3],)wkt"
    R"wkt(AXIS["geodetic latitude (Lat)",north,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],)wkt"
    R"wkt(AXIS["geodetic longitude (Lon)",east,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]],)wkt"
    R"wkt(AXIS["ellipsoidal height (h)",up,ORDER[3],LENGTHUNIT["metre",1]],)wkt"
    R"wkt(USAGE[SCOPE["Geodesy. Navigation and positioning using GPS satellite system."],AREA["World."],)wkt"
    R"wkt(BBOX[-90,-180,90,180]],ID["EPSG",4979]])wkt";

} // namespace scanloupe::test
