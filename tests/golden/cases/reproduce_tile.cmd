warpscape reproduce tile --table silicon --format csv
