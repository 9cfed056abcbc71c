"""Running the course: release, collect, grade a class safely, give feedback, export."""
