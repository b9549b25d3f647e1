"""One module or package per service or surface; none knows another, and `shipped` lists them for build_app."""
