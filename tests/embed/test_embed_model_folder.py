"""What the JSON files of a model folder say."""

import json

import pytest

from fiuto.embed.model_folder import facts_of, weights_digest
from fiuto.errors import ModelUnavailable


def folder_with(tmp_path, **files):
    """A model folder; ``pooling`` and ``dense`` are modules, other names are files."""
    modules = [{"path": "", "type": "sentence_transformers.models.Transformer"}]
    for name, kind in (("pooling", "Pooling"), ("dense", "Dense")):
        if name in files:
            (tmp_path / name).mkdir()
            (tmp_path / name / "config.json").write_text(json.dumps(files.pop(name)))
            modules.append({"path": name, "type": f"sentence_transformers.models.{kind}"})
    for name, content in {"config": {"hidden_size": 12}, "modules": modules, **files}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return tmp_path


def test_a_whole_folder_is_read(minilm):
    """The files of a published model give its known figures."""
    facts = facts_of(minilm)

    assert (facts.dimension, facts.pooling, facts.max_length) == (384, "mean", 256)
    assert (facts.query_prefix, facts.document_prefix) == ("", "")


@pytest.mark.parametrize(
    ("pooling", "dimension", "name"),
    [
        ({"word_embedding_dimension": 12, "pooling_mode_cls_token": True}, 12, "cls"),
        ({"embedding_dimension": 12, "pooling_mode": "lasttoken"}, 12, "lasttoken"),
        ({"embedding_dimension": 12, "pooling_mode": ["mean", "max"]}, 24, "mean+max"),
        (
            {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
            12,
            "mean",
        ),
    ],
)
def test_pooling_in_both_spellings(tmp_path, pooling, dimension, name):
    """Flags of older versions and names of newer ones; several modes lie side by side."""
    facts = facts_of(folder_with(tmp_path, pooling=pooling))

    assert (facts.dimension, facts.pooling) == (dimension, name)


def test_a_dense_module_has_the_last_word(tmp_path):
    """A projection behind the pooling decides on the dimension."""
    folder = folder_with(tmp_path, pooling={"pooling_mode": "cls"}, dense={"out_features": 7})

    assert facts_of(folder).dimension == 7


def test_prompts_are_prefixes(tmp_path):
    """Prompts for both roles are taken from the settings, under any of their names."""
    prompts = {"query": "ask: ", "passage": "text: "}
    folder = folder_with(tmp_path, config_sentence_transformers={"prompts": prompts})

    assert (facts_of(folder).query_prefix, facts_of(folder).document_prefix) == ("ask: ", "text: ")


@pytest.mark.parametrize(
    ("files", "length"),
    [
        ({"sentence_bert_config": {"max_seq_length": 128}}, 128),
        ({"tokenizer_config": {"model_max_length": 300}}, 300),
        ({"tokenizer_config": {"model_max_length": 10**30}}, 514),
        ({"sentence_bert_config": {"max_seq_length": None}}, 514),
    ],
)
def test_the_first_limit_counts(tmp_path, files, length):
    """A tokenizer without a limit says so by a huge number; then the positions count."""
    config = {"hidden_size": 12, "max_position_embeddings": 514}

    assert facts_of(folder_with(tmp_path, config=config, **files)).max_length == length


def test_other_folders_are_refused(tmp_path):
    """A folder of something else is no model, and says so with its path."""
    with pytest.raises(ModelUnavailable, match="is not a model folder"):
        facts_of(tmp_path)
    (tmp_path / "config.json").write_text("{broken")
    with pytest.raises(ModelUnavailable, match=r"config\.json cannot be read"):
        facts_of(tmp_path)


def test_every_weight_file_counts(tmp_path):
    """The digest follows each byte of each weight file, and nothing else."""
    (tmp_path / "model.safetensors").write_bytes(b"one")
    (tmp_path / "2_Dense").mkdir()
    (tmp_path / "2_Dense" / "pytorch_model.bin").write_bytes(b"two")
    first = weights_digest(tmp_path)
    (tmp_path / "README.md").write_text("changed")
    assert weights_digest(tmp_path) == first

    (tmp_path / "2_Dense" / "pytorch_model.bin").write_bytes(b"twO")
    assert weights_digest(tmp_path) != first


def test_a_folder_without_weights_is_refused(tmp_path):
    """There is nothing to compare by."""
    with pytest.raises(ModelUnavailable, match="holds no weights"):
        weights_digest(tmp_path)
