# mypy: ignore-errors
"""Ask Docker for one thing and end. The answer is one JSON object; ``problem`` says why not.

orders.py --probe IMAGE              what Docker there is, and whether it has the image
orders.py --import IMAGE FILE JSON   import a root file system as the image
orders.py --clean                    remove what a killed run has left
"""

import contextlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "worker"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import containers
import leftovers
from containers import DOCKER_ERRORS

#: Copying the image's files into Docker's store.
_IMPORT_S = 1200


def probe(image):
    """Return what Docker there is, and whether it has the image."""
    api = containers.interface(timeout_s=20)
    found = bool(api.images(image))
    return {"docker": api.version()["Version"], "image": found}


def import_image(image, file, changes):
    """Import a root file system as an image."""
    name, tag = image.split(":")
    api = containers.interface(timeout_s=_IMPORT_S)
    said = api.import_image_from_file(file, repository=name, tag=tag, changes=json.loads(changes))
    if '"error"' in said:
        raise RuntimeError(said.strip().splitlines()[-1])
    return {"image": image}


def clean():
    """Remove what a killed run has left; say what it was."""
    with leftovers.take_lock():
        removed = []
        with contextlib.suppress(*DOCKER_ERRORS):
            removed = containers.remove_marked(containers.interface(timeout_s=20))
        processes, parameters = leftovers.end(), leftovers.put_back()
    return {"containers": removed, "processes": processes, "sysctl": parameters}


def main(arguments):
    """Do what the arguments ask for and say what came of it."""
    orders = {"--probe": probe, "--import": import_image, "--clean": clean}
    try:
        print(json.dumps(orders[arguments[0]](*arguments[1:])))
    except leftovers.BusyError as error:
        print(json.dumps({"busy": str(error)}))
    except (RuntimeError, *DOCKER_ERRORS) as error:
        print(json.dumps({"problem": str(error)}))


if __name__ == "__main__":
    main(sys.argv[1:])
